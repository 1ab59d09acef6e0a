import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { as, cookieOf, makePeopleIn } from '../people/testing.ts';

const app = await testApp();
const { call } = app;
const { home, roleNamed, aMember, signIn } = await makePeopleIn(app);
const keysPath = `/v1/admin/groups/${home}/api-keys`;
type Caller = { key: string | null; headers?: Record<string, string> };
interface Key {
  id: string;
  value: string;
  owner: { id: string; name: string; kind: string };
}
const makeKey = async (by: Caller, body: object = {}): Promise<Key> => {
  const made = await call('POST', keysPath, { name: 'k', ...body }, by);
  assert.equal(made.status, 200, made.text);
  return made.json;
};
const statusOf = async (key: string, path = keysPath) => (await call('GET', path, undefined, { key })).status;
const setRole = (id: string, name: string) =>
  call('PUT', `/v1/admin/groups/${home}/members/${id}`, { role_id: roleNamed(name) });
const leave = (id: string) => call('DELETE', `/v1/admin/groups/${home}/members/${id}`);
const patchPerson = (id: string, body: object) => call('PATCH', `/v1/admin/users/${id}`, body);
const findKey = async (id: string) => (await call('GET', keysPath)).json.find((key: Key) => key.id === id);
// There is always another administrator, so that each can be demoted.
await patchPerson((await aMember('Reader')).id, { tenant_admin: true });
/** An administrator of the organization who is also a member here. */
async function anAdministrator() {
  const person = await aMember('Reader');
  await patchPerson(person.id, { tenant_admin: true });
  return { ...person, cookie: cookieOf(await signIn(person.email)) };
}

suite('keys hold at most what their owner holds now', () => {
  test('a key of a person loses what the person loses, and gets it back with the role', async () => {
    const person = await aMember('Admin');
    const { id, value, owner } = await makeKey(as(person.cookie));
    assert.deepEqual(owner, { id: person.id, name: 'Bo', kind: 'person' });
    assert.equal(await statusOf(value), 200);
    assert.equal((await setRole(person.id, 'Reader')).status, 200);
    assert.deepEqual([await statusOf(value), await statusOf(value, '/v1/agents')], [403, 200]);
    const { permissions, effective_permissions } = await findKey(id);
    assert.deepEqual(permissions, ['workspace_admin']);
    assert.ok(effective_permissions.includes('agents_run') && !effective_permissions.includes('agents_edit'));
    assert.equal((await setRole(person.id, 'Admin')).status, 200);
    assert.equal(await statusOf(value), 200);
    assert.equal((await leave(person.id)).status, 200);
    assert.deepEqual([await statusOf(value), await statusOf(value, '/v1/agents')], [403, 403]);
    assert.deepEqual((await findKey(id)).effective_permissions, []);
  });

  test('a system key of a demoted administrator acts as the member that the person is', async () => {
    const boss = await anAdministrator();
    const { value } = await makeKey(as(boss.cookie), { tenant_admin: true });
    const { json: other } = await call('POST', '/v1/admin/groups', { name: 'other' });
    const there = async () =>
      (await call('GET', '/v1/agents', undefined, { key: value, headers: { 'x-workspace-id': other.id } })).status;
    assert.deepEqual([await statusOf(value, '/v1/admin/users'), await there()], [200, 200]);
    await patchPerson(boss.id, { tenant_admin: false });
    assert.deepEqual([await statusOf(value, '/v1/admin/users'), await there()], [403, 404]);
    assert.deepEqual([await statusOf(value), await statusOf(value, '/v1/agents')], [403, 200]);
  });

  test('a role that grows gives its keys no more than their owner holds', async () => {
    const person = await aMember('Admin');
    const role = (
      await call('POST', '/v1/admin/roles', { name: 'grows', group_id: home, permissions: { agents_run: true } })
    ).json;
    const { value } = await makeKey(as(person.cookie), { role_id: role.id });
    await setRole(person.id, 'Reader');
    await call('PATCH', `/v1/admin/roles/${role.id}`, { permissions: { workspace_admin: true } });
    assert.deepEqual([await statusOf(value), await statusOf(value, '/v1/agents')], [403, 200]);
  });

  test('a key made by a key belongs to the same owner and falls with it', async () => {
    const person = await aMember('Admin');
    const first = await makeKey(as(person.cookie));
    const second = await makeKey({ key: first.value });
    assert.equal(second.owner.id, person.id);
    await leave(person.id);
    assert.equal(await statusOf(second.value), 403);
  });

  test('a key that was cut gives only what is left of it', async () => {
    const person = await aMember('Admin');
    const { id, value: key } = await makeKey(as(person.cookie), { permissions: ['workspace_admin'] });
    await setRole(person.id, 'Editor');
    assert.equal((await call('POST', keysPath, { name: 'x' }, { key })).status, 403);
    assert.equal((await call('PATCH', `${keysPath}/${id}`, { permissions: ['workspace_admin'] }, { key })).status, 403);
    assert.equal((await call('POST', `${keysPath}/${id}/rotate`, {}, { key })).status, 403);
  });

  test('a deactivation revokes the keys of the person for good', async () => {
    const person = await aMember('Admin');
    const { id, value } = await makeKey(as(person.cookie));
    await patchPerson(person.id, { active: false });
    assert.equal(await statusOf(value), 401);
    await patchPerson(person.id, { active: true });
    assert.equal(await statusOf(value), 401);
    assert.equal(await findKey(id), undefined);
  });

  test('no key survives a deactivation at the moment when keys are made', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await aMember('Admin');
      const first = await makeKey(as(person.cookie));
      const work = Array.from({ length: 6 }, (_, n) =>
        n === 2
          ? patchPerson(person.id, { active: false })
          : call('POST', keysPath, { name: 'race' }, n % 2 ? as(person.cookie) : { key: first.value }),
      );
      const made = (await Promise.all(work)).flatMap(({ json }) => (json?.value ? [json.value as string] : []));
      for (const value of [first.value, ...made]) assert.equal(await statusOf(value), 401);
      const [{ count }] = await app.query('select count(*)::int from api_keys where person_id = $1', [person.id]);
      assert.equal(count, 0);
    }
  });

  test('the admin key is never cut: its owner is in no list and belongs to the organization', async () => {
    const { json: me } = await call('GET', '/v1/admin/me');
    const own = await findKey(me.id);
    assert.equal(own.owner.kind, 'service_account');
    const at = `/v1/admin/groups/${home}/service-accounts`;
    assert.ok(!(await call('GET', at)).json.some(({ id }: { id: string }) => id === own.owner.id));
    const { cookie } = await anAdministrator();
    for (const [caller, refused] of [
      [as(cookie), 404],
      [{ key: app.admin }, 409],
    ] as const) {
      assert.equal((await call('PATCH', `${at}/${own.owner.id}`, { active: false }, caller)).status, refused);
      assert.equal((await call('DELETE', `${at}/${own.owner.id}`, undefined, caller)).status, refused);
    }
    assert.equal(await statusOf(app.admin), 200);
  });
});

suite('handing keys over and rotating them', () => {
  const hand = (key: Key, owner: object, by: Caller) => call('PATCH', `${keysPath}/${key.id}`, { owner }, by);

  test('a key goes to a service account or to the caller, and holds what the new owner holds', async () => {
    const [giver, taker] = [await aMember('Admin'), await aMember('Admin')];
    const key = await makeKey(as(giver.cookie));
    const taken = await hand(key, { person_id: taker.id }, as(taker.cookie));
    assert.deepEqual([taken.status, taken.json.owner.id], [200, taker.id]);
    await leave(giver.id);
    assert.equal(await statusOf(key.value), 200, 'the former owner does not matter any more');
    const account = (await makeAccountKey(app, home, ['agents_run'])).owner;
    const moved = await hand(key, { service_account_id: account.id }, as(taker.cookie));
    assert.deepEqual([moved.json.owner.id, moved.json.effective_permissions], [account.id, ['agents_run']]);
    assert.deepEqual([await statusOf(key.value), await statusOf(key.value, '/v1/agents')], [403, 200]);
  });

  test('a key is not handed to a stronger or another person by those who do not administer the organization', async () => {
    const [person, other, boss] = [await aMember('Admin'), await aMember('Admin'), await anAdministrator()];
    const key = await makeKey(as(person.cookie));
    for (const id of [other.id, boss.id]) {
      assert.equal((await hand(key, { person_id: id }, as(person.cookie))).status, 404);
      assert.equal((await hand(key, { person_id: id }, { key: key.value })).status, 404);
    }
    assert.equal((await hand(key, {}, as(person.cookie))).status, 422);
    const given = await hand(key, { person_id: boss.id }, as(boss.cookie));
    assert.deepEqual([given.status, given.json.effective_permissions], [200, ['workspace_admin']]);
    assert.equal(await statusOf(key.value, '/v1/admin/users'), 403, 'a stronger owner does not make a key stronger');
  });

  test('a system key is taken over neither by a weaker caller nor by a service account', async () => {
    const boss = await anAdministrator();
    const key = await makeKey(as(boss.cookie), { tenant_admin: true });
    const person = await aMember('Admin');
    assert.equal((await hand(key, { person_id: person.id }, as(person.cookie))).status, 403);
    const account = (await makeAccountKey(app, home, ['agents_run'])).owner;
    assert.equal((await hand(key, { service_account_id: account.id }, as(boss.cookie))).status, 422);
    const body = { name: 'k', tenant_admin: true, service_account_id: account.id };
    assert.equal((await call('POST', keysPath, body, as(boss.cookie))).status, 422);
  });

  test('a rotated key keeps its owner, and nobody but the owner gets a value of a person', async () => {
    const [person, other] = [await aMember('Admin'), await aMember('Admin')];
    const key = await makeKey(as(person.cookie), { permissions: ['agents_run'] });
    assert.equal((await call('POST', `${keysPath}/${key.id}/rotate`, {}, as(other.cookie))).status, 403);
    const rotated = await call('POST', `${keysPath}/${key.id}/rotate`, {}, as(person.cookie));
    assert.deepEqual([rotated.status, rotated.json.owner.id], [200, person.id]);
    await leave(person.id);
    assert.equal(await statusOf(rotated.json.value, '/v1/agents'), 403);
  });
});

test('GET /v1/admin/me tells when the account of the person was made', async () => {
  const person = await aMember('Reader');
  const { json: me } = await call('GET', '/v1/admin/me', undefined, as(person.cookie));
  const { json: account } = await call('GET', `/v1/admin/users/${person.id}`);
  assert.equal(me.created_at, account.created_at);
  assert.deepEqual(me.effective_permissions, me.permissions);
});
