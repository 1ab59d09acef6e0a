import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const app = await testApp({ roles: ['http', 'worker'] });
const { call, query } = app;
const { home, roleNamed, aMember } = await makePeopleIn(app);
const { json: agent } = await call('POST', '/v1/agents', { name: 'Ada', definition: { model: ['atrium/extractive'] } });
const at = `/v1/agents/${agent.id}/deployments`;
type Caller = { key: string | null; headers?: Record<string, string> };
const deploy = async (by: Caller, channel = 'web') => {
  const made = await call('POST', at, { channel }, by);
  assert.equal(made.status, 200, made.text);
  return made.json;
};
const read = async (id: string) => (await call('GET', `${at}/${id}`)).json;
const pageStatus = async ({ page_path }: { page_path: string }) =>
  (await call('GET', page_path, undefined, { key: null })).status;
const removeMember = (id: string) => call('DELETE', `/v1/admin/groups/${home}/members/${id}`);

test('a deployment whose owner lacks the permission is paused until it is taken over', async () => {
  const [person, other] = [await aMember('Admin'), await aMember('Admin')];
  const made = await deploy(as(person.cookie));
  assert.deepEqual([made.owner.id, made.paused_reason, await pageStatus(made)], [person.id, null, 200]);
  await removeMember(person.id);
  assert.deepEqual([(await read(made.id)).paused_reason, await pageStatus(made)], ['owner_lacks_permission', 404]);
  const takeOver = (caller: Caller) => call('POST', `${at}/${made.id}/take-over`, undefined, caller);
  assert.equal((await takeOver(as((await aMember('Reader')).cookie))).status, 403);
  assert.equal((await takeOver({ key: (await app.workspace()).key })).status, 404);
  const taken = await takeOver(as(other.cookie));
  assert.deepEqual([taken.json.owner.id, taken.json.paused_reason, await pageStatus(made)], [other.id, null, 200]);
});

test('a deployment of a deactivated person stays paused after the person is active again', async () => {
  const person = await aMember('Admin');
  const made = await deploy(as(person.cookie));
  await call('PATCH', `/v1/admin/users/${person.id}`, { active: false });
  await call('PATCH', `/v1/admin/users/${person.id}`, { active: true });
  assert.deepEqual([(await read(made.id)).paused_reason, await pageStatus(made)], ['owner_inactive', 404]);
  await call('POST', `${at}/${made.id}/take-over`);
  assert.deepEqual([(await read(made.id)).paused_reason, await pageStatus(made)], [null, 200]);
});

test('conversations of a deployment have what its owner holds now, and no asking person', async () => {
  const person = await aMember('Admin');
  const made = await deploy(as(person.cookie), 'webhook');
  let messages = 0;
  const principalOfNext = async () => {
    const [id, time] = [`m${messages++}`, String(Math.floor(Date.now() / 1000))];
    const body = JSON.stringify({ thread: id, text: 'Hello' });
    const key = Buffer.from(made.made_secrets.signing_secret.slice('whsec_'.length), 'base64');
    const signature = `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature };
    assert.equal((await call('POST', made.inbound_path, body, { key: null, headers })).status, 200);
    return until('the message has a run', async () => {
      const rows = await query(
        `select principal from runs where principal -> 'actor' ->> 'id' = $1 order by created_at desc`,
        [made.id],
      );
      return rows.length === messages ? rows[0].principal : undefined;
    });
  };
  const before = await principalOfNext();
  assert.ok(before.permissions.includes('tables_edit'));
  assert.deepEqual([before.actor.kind, before.person_id], ['channel', undefined]);
  await call('PUT', `/v1/admin/groups/${home}/members/${person.id}`, { role_id: roleNamed('Reader') });
  const after = await principalOfNext();
  assert.ok(after.permissions.includes('agents_run') && !after.permissions.includes('tables_edit'));
});

test('runs carry the person who asks: of a session, of the owner of a key, and of no service account or guest', async () => {
  const person = await aMember('Admin');
  const { json: key } = await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'k' }, as(person.cookie));
  const account = await makeAccountKey(app, home, ['agents_run']);
  for (const [caller, asker] of [
    [as(person.cookie), person.id],
    [{ key: key.value as string }, person.id],
    [{ key: account.value }, undefined],
  ] as const) {
    const { json: talk } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, {}, caller);
    assert.equal((await call('POST', `/v1/conversations/${talk.id}`, { content: 'Hello' }, caller)).status, 200);
    const [run] = await query('select principal from runs where conversation_id = $1', [talk.id]);
    assert.equal(run.principal.person_id, asker);
    if (asker === undefined) continue;
    const { json: shared } = await call('POST', `/v1/conversations/${talk.id}/share`, undefined, caller);
    const guest = `/v1/public/conversations/${shared.public_access_token}/stream`;
    await call('POST', guest, { content: 'Hello' }, { key: null });
    const rows = await query('select principal from runs where conversation_id = $1 order by created_at', [talk.id]);
    assert.deepEqual([rows.length, rows[1].principal.person_id], [2, undefined], 'a guest');
  }
});
