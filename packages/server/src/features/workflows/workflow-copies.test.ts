import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { aNode, anEdge } from './testing.ts';

const app = await testApp();
const { call } = app;
const home = await app.workspace();
const keyWith = async (name: string, ...permissions: string[]) => {
  const { id, value } = await makeAccountKey(app, home.id, permissions, name);
  return { id, key: value };
};
const ada = await keyWith('Ada', 'flows_edit', 'flows_run');
const ben = await keyWith('Ben', 'flows_edit', 'flows_run');
const definition = {
  nodes: [aNode('in', 'InputNode', { label: 'n' }), aNode('out', 'OutputNode', { label: 'n' })],
  edges: [anEdge('in.output -> out.input')],
  viewport: { zoom: 2 },
};
const ok = async (method: string, path: string, body: unknown, by: { key: string }) => {
  const { status, json, text } = await call(method, path, body, { key: by.key });
  assert.equal(status, 200, text);
  return json;
};

test('names who saved a workflow last', async () => {
  const made = await ok('POST', '/v1/workflows', { name: 'Greeting', definition }, ada);
  const savedBy = (row: { updated_by: string; updated_by_actor: { name: string } }) => [
    row.updated_by,
    row.updated_by_actor.name,
  ];
  assert.deepEqual(savedBy(made), [ada.id, 'Ada']);
  const at = `/v1/workflows/${made.id}`;
  assert.deepEqual(savedBy(await ok('PATCH', at, { name: 'Hello' }, ben)), [ben.id, 'Ben']);
  assert.deepEqual(savedBy(await ok('GET', at, undefined, ada)), [ben.id, 'Ben']);
  assert.deepEqual(savedBy((await ok('GET', '/v1/workflows', undefined, ada)).items[0]), [ben.id, 'Ben']);
});

test('duplicates a workflow without its versions and triggers', async () => {
  const handler = await ok('POST', '/v1/workflows', { name: 'Handler' }, ada);
  const made = await ok('POST', '/v1/workflows', { name: 'Shop', definition, error_handler: handler.id }, ada);
  const at = `/v1/workflows/${made.id}`;
  await ok('POST', `${at}/versions`, { name: 'v1' }, ada);
  await ok('POST', `${at}/triggers`, { definition: { type: 'webhook', auth: 'none' } }, ada);
  const copy = await ok('POST', `${at}/duplicate`, {}, ben);
  assert.notEqual(copy.id, made.id);
  assert.deepEqual(
    [copy.name, copy.type, copy.definition, copy.error_handler, copy.valid, copy.updated_by],
    ['Copy of Shop', 'flow', definition, handler.id, true, ben.id],
  );
  assert.deepEqual(await ok('GET', `/v1/workflows/${copy.id}/versions`, undefined, ben), []);
  assert.equal((await ok('GET', `/v1/workflows/${copy.id}/triggers`, undefined, ben)).total, 0);
  assert.equal((await ok('POST', `${at}/duplicate`, { name: 'Mine' }, ben)).name, 'Mine');
});

test('duplicates a workflow that was stored with errors, which cannot run either', async () => {
  const broken = { nodes: [aNode('x', 'NobodyNode')], edges: [] };
  const made = await ok('POST', '/v1/workflows?force=true', { name: 'Broken', definition: broken }, ada);
  const copy = await ok('POST', `/v1/workflows/${made.id}/duplicate`, {}, ada);
  assert.deepEqual([copy.valid, copy.definition], [false, broken]);
});

test('refuses to duplicate for callers who could not create the workflow', async () => {
  const reader = await keyWith('Reader', 'flows_run');
  const other = await app.workspace();
  const open = await ok('POST', '/v1/workflows', { name: 'Plain' }, ada);
  const secret = { nodes: [aNode('v', 'VariableNode', { name: 'token' })], edges: [] };
  const reading = await ok('POST', '/v1/workflows?force=true', { name: 'Secret', definition: secret }, home);
  const refusal = async (id: string, key: string) => {
    const { status, json } = await call('POST', `/v1/workflows/${id}/duplicate`, {}, { key });
    return [status, json.code];
  };
  assert.deepEqual(await refusal(open.id, reader.key), [403, 'forbidden']);
  assert.deepEqual(await refusal(open.id, other.key), [404, 'not_found']);
  assert.deepEqual(await refusal(reading.id, ada.key), [403, 'variables_forbidden']);
});
