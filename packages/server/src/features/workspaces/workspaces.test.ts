import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { waitUntilRowIsBlocked } from '../../../test/support/test-database.ts';

const { call, workspace, query, admin } = await testApp();
const groups = '/v1/admin/groups';
const me = async (key: string) => (await call('GET', '/v1/admin/me', undefined, { key })).status;

test('the list is a bare array that starts with the first workspace', async () => {
  const { id } = await workspace();
  const { status, json } = await call('GET', groups);
  assert.equal(status, 200);
  assert.ok(Array.isArray(json));
  assert.deepEqual([json[0].name, json.at(-1).id], ['Default', id]);
});

test('a workspace can be made, read and changed; null and absent mean no description', async () => {
  for (const body of [{ name: 'A', description: null }, { name: 'A' }]) {
    const { status, json: made } = await call('POST', groups, body);
    assert.equal(status, 200);
    assert.deepEqual([made.name, made.description], ['A', null]);
    assert.deepEqual((await call('GET', `${groups}/${made.id}`)).json, made);
  }
  const { json: made } = await call('POST', groups, { name: 'B', description: 'why' });
  const { json: renamed } = await call('PATCH', `${groups}/${made.id}`, { name: 'C', description: null });
  assert.deepEqual([renamed.id, renamed.name, renamed.description], [made.id, 'C', 'why']);
  assert.ok(renamed.updated_at >= made.updated_at);
  assert.equal((await call('PATCH', `${groups}/${made.id}`, { description: '' })).json.description, '');
});

test('returns all validation errors at once, and 404 for a missing workspace', async () => {
  const { status, json } = await call('POST', groups, { name: '', descripton: 'x' });
  assert.equal(status, 422);
  const places = json.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).sort();
  assert.deepEqual(places, ['body.descripton', 'body.name']);
  const missing = `${groups}/01890000-0000-7000-8000-000000000000`;
  assert.equal((await call('GET', missing)).status, 404);
  assert.equal((await call('PATCH', missing, { name: 'x' })).status, 404);
  assert.equal((await call('DELETE', missing)).status, 404);
  assert.equal((await call('DELETE', `${groups}/nope`)).status, 422);
});

test('reading needs workspace_read, changing workspace_write', async () => {
  const { id, key: admins } = await workspace();
  const { key: reader } = await workspace(['workspace_read']);
  assert.equal((await call('GET', groups, undefined, { key: admins })).status, 403);
  assert.equal((await call('GET', groups, undefined, { key: reader })).status, 200);
  assert.equal((await call('POST', groups, { name: 'x' }, { key: reader })).status, 403);
  assert.equal((await call('DELETE', `${groups}/${id}`, undefined, { key: reader })).status, 403);
});

test('deleting takes everything in it along, and a second time there is nothing', async () => {
  const { id, key } = await workspace();
  const path = `${groups}/${id}`;
  // A request that is remembered seals its answer: that makes the data key.
  const { json: second } = await call('POST', `${path}/api-keys`, { name: 'k' }, { headers: { 'x-workspace-id': id } });
  const headers = { 'x-workspace-id': id, 'idempotency-key': 'kept' };
  await call('POST', `${path}/api-keys`, { name: 'k' }, { headers });
  assert.deepEqual([await me(key), await me(second.value)], [200, 200]);

  const tables = ['api_keys', 'data_keys', 'idempotency_keys'];
  const held = async () => {
    const counts = tables.map((table) => query(`select 1 from ${table} where workspace_id = $1`, [id]));
    return (await Promise.all(counts)).map((rows) => rows.length);
  };
  assert.deepEqual(await held(), [3, 1, 1]);
  assert.deepEqual((await call('DELETE', path)).json, { success: true });
  assert.deepEqual([await me(key), await me(second.value)], [401, 401]);
  assert.deepEqual(await held(), [0, 0, 0]);
  assert.equal((await call('GET', path)).status, 404);
  assert.equal((await call('DELETE', path)).status, 404);
  assert.equal((await call('GET', groups, undefined, { headers: { 'x-workspace-id': id } })).status, 404);
});

test('refuses to delete the home workspace of the calling key', async () => {
  const { json: own } = await call('GET', '/v1/admin/me');
  const { id } = await workspace();
  const elsewhere = { headers: { 'x-workspace-id': id } };
  for (const options of [{}, elsewhere])
    assert.equal((await call('DELETE', `${groups}/${own.group_id}`, undefined, options)).status, 409);
  assert.equal(await me(admin), 200);
});

test('deletes a workspace despite a deadlock with a transaction in it', async () => {
  const { id, key } = await workspace();
  const agent = (await call('POST', '/v1/agents', { name: 'held' }, { key })).json.id;
  // Locks a row until the deletion waits for it, then wants the workspace row: PostgreSQL ends the transaction that waited longer.
  const working = query(`do $$ begin
    perform from agents where id = '${agent}' for update;
    ${waitUntilRowIsBlocked}
    update workspaces set name = 'changed' where id = '${id}';
  end $$`);
  let over = false;
  const ended = working
    .catch(() => {})
    .finally(() => {
      over = true;
    });
  const begun = `select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
  while (!over && (await query(begun)).length === 0);
  const { status, text } = await call('DELETE', `${groups}/${id}`);
  assert.equal(status, 200, text);
  await ended;
  assert.equal((await call('GET', `${groups}/${id}`)).status, 404);
});
