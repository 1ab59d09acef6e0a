import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { errorUrn } from '@atrium/contract/scim/urns.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { anAddress, as, cookieOf, makePeopleIn, password } from '../testing.ts';

const testing = await testApp();
const { call, query } = testing;
const { home, roleNamed, signIn, aMember } = await makePeopleIn(testing);
const makeToken = async (adopts: boolean) =>
  (await call('POST', '/v1/admin/scim-tokens', { name: 'Directory', adopts })).json.value as string;
const [adopting, plain] = [await makeToken(true), await makeToken(false)];

const scim = (method: string, path: string, body?: object, bearer = adopting) =>
  call(method, `/scim/v2${path}`, body && JSON.stringify(body), {
    key: null,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/scim+json' }) },
  });
const replace = (id: string, fields: object, bearer = adopting) =>
  scim('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', value: fields }] }, bearer);
const isError = ({ json, status }: Awaited<ReturnType<typeof scim>>, wanted: number, scimType?: string) => {
  assert.equal(status, wanted, JSON.stringify(json));
  assert.deepEqual([json.schemas, json.status, json.scimType], [[errorUrn], String(wanted), scimType]);
};
const aUser = async () => {
  const userName = anAddress();
  const made = await scim('POST', '/Users', { userName, displayName: 'Ada Byron' });
  assert.equal(made.status, 201, made.text);
  return { id: made.json.id as string, userName };
};
const setRole = (id: string, role: string) =>
  call('PUT', `/v1/admin/groups/${home}/members/${id}`, { role_id: roleNamed(role) });
const aHandMadeGroup = async (role?: string) => {
  const { json: group } = await call('POST', '/v1/admin/user-groups', { name: `By hand ${randomUUID()}` });
  if (role) await call('PUT', `/v1/admin/groups/${home}/member-groups/${group.id}`, { role_id: roleNamed(role) });
  return group as { id: string; name: string };
};
/** The ways in which a user that the directory knows becomes an administrator. */
const promotions: Record<string, (id: string) => Promise<unknown>> = {
  'by a role of their own': (id) => setRole(id, 'Admin'),
  'by a user group': async (id) =>
    call('PUT', `/v1/admin/user-groups/${(await aHandMadeGroup('Admin')).id}/members/${id}`),
  'of the organization': (id) => call('PATCH', `/v1/admin/users/${id}`, { tenant_admin: true }),
};

for (const [way, promote] of Object.entries(promotions))
  test(`an adopting token changes no administrator ${way}`, async () => {
    const { id, userName } = await aUser();
    await promote(id);
    const before = (await scim('GET', `/Users/${id}`)).json;
    for (const fields of [
      { emails: [{ value: anAddress() }] },
      { 'emails[type eq "work"].value': anAddress() },
      { displayName: 'Another' },
      { userName: anAddress() },
      { active: false },
    ])
      isError(await replace(id, fields), 403);
    isError(await scim('PUT', `/Users/${id}`, { userName: anAddress(), displayName: 'Ada Byron' }), 403);
    isError(await scim('DELETE', `/Users/${id}`), 403);
    assert.deepEqual((await scim('GET', `/Users/${id}`)).json, before);
    const same = await scim('PUT', `/Users/${id}`, { userName, displayName: 'Ada Byron' });
    assert.equal(same.status, 200, 'a replacement that changes nothing');
    await call('PATCH', `/v1/admin/users/${id}`, { tenant_admin: false });
  });

test('an adopting token takes over no administrator, also one who is deactivated', async () => {
  for (const role of ['Admin', 'Reader']) {
    const person = await aMember(role);
    if (role === 'Reader') await promotions['by a user group']?.(person.id);
    isError(await scim('POST', '/Users', { userName: person.email }), 409, 'uniqueness');
    await call('PATCH', `/v1/admin/users/${person.id}`, { active: false });
    isError(await scim('POST', '/Users', { userName: person.email, active: true }), 409, 'uniqueness');
    assert.equal((await call('GET', `/v1/admin/users/${person.id}`)).json.active, false);
  }
});

test('an adopting token changes no deactivated administrator, nor activates them', async () => {
  const { id } = await aUser();
  await setRole(id, 'Admin');
  await call('PATCH', `/v1/admin/users/${id}`, { active: false });
  isError(await replace(id, { active: true }), 403);
  isError(await replace(id, { emails: [{ value: anAddress() }] }), 403);
});

test('an adopting token takes over no user group that administers a workspace', async () => {
  const group = await aHandMadeGroup('Admin');
  isError(await scim('POST', '/Groups', { displayName: group.name }), 409, 'uniqueness');
  const harmless = await aHandMadeGroup('Editor');
  assert.equal((await scim('POST', '/Groups', { displayName: harmless.name })).json.id, harmless.id);
});

test('an adopting token neither adds nor removes an administrator where a user group gives a role', async () => {
  const [{ id }, { id: other }] = [await aUser(), await aUser()];
  const { json: group } = await scim('POST', '/Groups', {
    displayName: `Group ${randomUUID()}`,
    members: [{ value: id }],
  });
  const path = `/Groups/${group.id}`;
  const change = (op: string, person: string, bearer = adopting) =>
    scim('PATCH', path, { Operations: [{ op, path: 'members', value: [{ value: person }] }] }, bearer);
  await call('PUT', `/v1/admin/groups/${home}/member-groups/${group.id}`, { role_id: roleNamed('Admin') });
  const before = (await scim('GET', path)).json.members;
  isError(await change('remove', id), 403);
  isError(await scim('PUT', path, { displayName: group.displayName, members: [] }), 403);
  isError(await scim('DELETE', path), 403);
  assert.deepEqual((await scim('GET', path)).json.members, before);
  const same = await scim('PUT', path, { displayName: group.displayName, members: [{ value: id }] });
  assert.equal(same.status, 200, same.text);
  await setRole(other, 'Admin');
  isError(await change('add', other), 403);
  const { json: list } = await scim('POST', '/Groups', {
    displayName: `List ${randomUUID()}`,
    members: [{ value: other }],
  });
  assert.equal((await scim('DELETE', `/Groups/${list.id}`)).status, 204, 'a group without a role gives nothing');
  assert.equal((await change('remove', id, plain)).status, 200);
});

test('an adopting token changes a person again who administers nothing any more', async () => {
  const { id } = await aUser();
  await setRole(id, 'Admin');
  isError(await replace(id, { active: false }), 403);
  await setRole(id, 'Reader');
  assert.equal((await replace(id, { active: false })).status, 200);
});

test('ends the sessions of a person when SCIM changes their address, and records it in the audit log', async () => {
  for (const change of ['PATCH', 'PUT']) {
    const { id, userName } = await aUser();
    const { token } = (await call('POST', `/v1/admin/users/${id}/password-reset`)).json;
    await call('POST', '/v1/auth/password-reset', { token, password }, { key: null });
    const cookie = cookieOf(await signIn(userName));
    const alive = async () => (await call('GET', '/v1/auth/session', undefined, as(cookie))).status;
    assert.equal((await replace(id, { displayName: 'Ada' }, plain)).status, 200);
    assert.equal(await alive(), 200, 'a new name ends nothing');
    const upper = { emails: [{ value: userName.toUpperCase(), primary: true }] };
    assert.equal((await replace(id, upper, plain)).status, 200);
    assert.equal(await alive(), 200, 'another spelling of the address ends nothing');
    const address = anAddress();
    const changed =
      change === 'PATCH'
        ? await replace(id, { emails: [{ value: address, primary: true }] }, plain)
        : await scim('PUT', `/Users/${id}`, { userName: address, displayName: 'Ada' }, plain);
    assert.equal(changed.status, 200, changed.text);
    assert.equal(await alive(), 401);
    assert.equal((await signIn(userName)).status, 401);
    const { items } = (await call('GET', '/v1/admin/audit?size=50')).json;
    const row = items.find(({ target }: { target?: { id: string } }) => target?.id === id);
    assert.deepEqual([row.after.email, row.before.email], ['[changed]', '[changed]']);
    assert.ok(!JSON.stringify(row).includes(address));
  }
});

test('ends a sign-in that waits for its second step when SCIM changes the address', async () => {
  const { id } = await aUser();
  await query(
    `insert into sign_in_steps (token_hash, person_id, provider_id, expires_at)
     values ($1, $2, null, now() + interval '5 minutes')`,
    [Buffer.from(randomUUID()), id],
  );
  assert.equal((await replace(id, { emails: [{ value: anAddress(), primary: true }] })).status, 200);
  assert.deepEqual(await query('select 1 from sign_in_steps where person_id = $1', [id]), []);
});
