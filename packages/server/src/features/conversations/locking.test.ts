import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';

const { call, workspace } = await testApp();

const start = async (body: object = {}, key?: string) =>
  (await call('POST', '/v1/conversations', body, key === undefined ? {} : { key })).json;

test('a conversation locked without a message says its block_message', async () => {
  const plain = await start();
  const { json } = await call('POST', `/v1/conversations/${plain.id}/lock`);
  assert.deepEqual([json.is_locked, json.lock_message], [true, plain.settings.block_message]);

  const { json: agent } = await call('POST', '/v1/agents', { name: 'A', definition: { block_message: "The agent's" } });
  const { json: of } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, {});
  assert.equal((await call('POST', `/v1/conversations/${of.id}/lock`, {})).json.lock_message, "The agent's");
  await call('PATCH', `/v1/conversations/${of.id}`, { settings: { block_message: 'Its own' } });
  assert.equal((await call('POST', `/v1/conversations/${of.id}/lock`, { message: null })).json.lock_message, 'Its own');
});

test('a lock says what it was given, and is seen whenever the conversation is', async () => {
  const { id, etag } = await start({ name: 'locked' });
  const { json } = await call('POST', `/v1/conversations/${id}/lock`, { message: 'This case is closed.' });
  assert.deepEqual([json.is_locked, json.lock_message], [true, 'This case is closed.']);
  assert.notEqual(json.etag, etag);
  assert.deepEqual((await call('GET', `/v1/conversations/${id}`)).json, json);
  const { json: list } = await call('GET', '/v1/conversations?include_empty=true&search=locked');
  assert.deepEqual([list.items[0].is_locked, list.items[0].lock_message], [true, 'This case is closed.']);
});

test('a locked conversation can be read, renamed and deleted', async () => {
  const { id } = await start();
  await call('POST', `/v1/conversations/${id}/lock`);
  assert.equal((await call('PATCH', `/v1/conversations/${id}`, { name: 'x' })).json.is_locked, true);
  assert.equal((await call('GET', `/v1/conversations/${id}/export`)).status, 200);
  assert.equal((await call('DELETE', `/v1/conversations/${id}`)).status, 200);
});

test('org:admin unlocks, and unlocking what is open changes nothing', async () => {
  const { id } = await start();
  await call('POST', `/v1/conversations/${id}/lock`);
  const { json } = await call('POST', `/v1/conversations/${id}/unlock`);
  assert.deepEqual([json.is_locked, json.lock_message], [false, null]);
  assert.deepEqual((await call('POST', `/v1/conversations/${id}/unlock`)).json, json);
});

test('agents_edit locks, and not even workspace_admin unlocks', async () => {
  const { id: group, key } = await workspace();
  const { id } = await start({}, key);
  const keyWith = async (permissions: string[]) =>
    (await call('POST', `/v1/admin/groups/${group}/api-keys`, { name: 'k', reach: 'workspace', permissions })).json
      .value;
  const lock = async (of: string) => (await call('POST', `/v1/conversations/${id}/lock`, {}, { key: of })).status;
  const unlock = async (of: string) => (await call('POST', `/v1/conversations/${id}/unlock`, {}, { key: of })).status;
  assert.deepEqual([await lock(await keyWith(['agents_run'])), await lock(await keyWith(['agents_edit']))], [403, 200]);
  assert.deepEqual([await unlock(key), await unlock(await keyWith(['agents_edit']))], [403, 403]);
  const headers = { 'x-workspace-id': group };
  assert.equal((await call('POST', `/v1/conversations/${id}/unlock`, {}, { headers })).status, 200);
});

test('a message that is too long is refused', async () => {
  const { id } = await start();
  const { status, json } = await call('POST', `/v1/conversations/${id}/lock`, { message: 'x'.repeat(2001) });
  assert.deepEqual([status, json.detail[0].loc, json.detail[0].type], [422, ['body', 'message'], 'string_too_long']);
});
