import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccountKey } from '../../../../test/support/account-key.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { aNode, anEdge, watchedNodes } from '../testing.ts';

const { watched, nodes } = watchedNodes();
watched.failing = false;
const app = await testApp({}, { nodes });
const { call } = app;
const home = await app.workspace();
type By = { key: string };
const keyWith = async (name: string, ...permissions: string[]) => {
  const { id, value } = await makeAccountKey(app, home.id, permissions, name);
  return { id, key: value };
};
const ada = await keyWith('Ada', 'flows_edit', 'flows_run');
const runner = await keyWith('Runner', 'flows_run');
const ok = async (method: string, path: string, body?: unknown, by: By = ada) => {
  const { status, json, text } = await call(method, path, body, { key: by.key });
  assert.equal(status, 200, text);
  return json;
};
const refusal = async (method: string, path: string, body: unknown, by: By = ada) => {
  const { status, json } = await call(method, path, body, { key: by.key });
  return [status, json.code];
};

/** An effect between an input and a text that is made of it. */
const definition = {
  nodes: [
    aNode('in', 'InputNode', { label: 'n' }),
    aNode('e', 'EffectNode'),
    aNode('if', 'ConditionNode', { expression: 'value.amount > 100' }),
    aNode('text', 'ComposeTextNode', { template: 'got ((x))' }),
    aNode('out', 'OutputNode', { label: 'said' }),
  ],
  edges: [
    'in.output -> e.value',
    'e.output -> if.value',
    'e.output -> text.variables[x]',
    'text.output -> out.input',
  ].map(anEdge),
};
const make = async () => {
  const { id } = await ok('POST', '/v1/workflows', { name: 'Sampled', definition });
  return `/v1/workflows/${id}`;
};
const single = (at: string, more: object, by?: By) =>
  ok('POST', `${at}/runs/sync?use_output_ids=true`, { single_node_id: 'text', ...more }, by);

test('keeps outputs of a step, sent or of a run, with who saved them', async () => {
  const at = await make();
  const sent = await ok('POST', `${at}/samples`, { node_id: 'e', outputs: { output: 'by hand' } });
  assert.deepEqual([sent.outputs, sent.run_id, sent.saved_by_actor.name], [{ output: 'by hand' }, null, 'Ada']);
  const large = 'x'.repeat(50_000);
  const run = await ok('POST', `${at}/runs/sync`, { input: { n: large } });
  const taken = await ok('POST', `${at}/samples`, { node_id: 'e', run_id: run.id });
  assert.deepEqual([taken.outputs, taken.run_id], [{ output: large }, run.id]);
  const all = await ok('GET', `${at}/samples`);
  assert.deepEqual([all.samples, all.bytes], [[taken], taken.bytes]);
  await ok('DELETE', `${at}/samples/e`);
  assert.deepEqual((await ok('GET', `${at}/samples`)).samples, []);
  assert.deepEqual(await refusal('DELETE', `${at}/samples/e`, undefined), [404, 'not_found']);
});

test('takes outputs of a step inside of a loop', async () => {
  const looped = {
    nodes: [
      aNode('in', 'InputNode', { label: 'list', type: 'list' }),
      aNode('loop', 'LoopNode'),
      aNode('e', 'EffectNode'),
    ],
    edges: ['in.output -> loop.list', 'loop.item -> e.value', 'e.output -> loop.result'].map(anEdge),
  };
  const { id } = await ok('POST', '/v1/workflows', { name: 'Looped', definition: looped });
  const run = await ok('POST', `/v1/workflows/${id}/runs/sync`, { input: { list: ['a'] } });
  const sample = await ok('POST', `/v1/workflows/${id}/samples`, { node_id: 'e', run_id: run.id });
  assert.deepEqual(sample.outputs, { output: 'a' });
});

test('runs one step with the samples of the steps before it, and given outputs come first', async () => {
  const at = await make();
  await ok('POST', `${at}/samples`, { node_id: 'e', outputs: { output: 'sampled' } });
  watched.done.length = 0;
  const run = await single(at, { use_samples: true });
  assert.deepEqual([run.output['text::output'].text, watched.done], ['got sampled', []]);
  const given = await single(at, { use_samples: true, pinned_outputs: { e: { output: 'given' } } });
  assert.equal(given.output['text::output'].text, 'got given');
});

test('a whole run never uses samples', async () => {
  const at = await make();
  await ok('POST', `${at}/samples`, { node_id: 'e', outputs: { output: 'sampled' } });
  const live = await ok('POST', `${at}/runs/sync`, { input: { n: 'live' } });
  assert.deepEqual([live.output.said.text, live.pinned_outputs], ['got live', null]);
  assert.equal((await refusal('POST', `${at}/runs`, { input: { n: 'x' }, use_samples: true }))[0], 422);
  assert.equal((await refusal('POST', `${at}/runs`, { node_ids: ['text'], use_samples: true }))[0], 422);
});

test('evaluates an expression of a step with the samples before it', async () => {
  const at = await make();
  const [, , , workflow_id] = at.split('/');
  await ok('POST', `${at}/samples`, { node_id: 'e', outputs: { output: { amount: 120 } } });
  const body = { expression: 'value.amount > 100', workflow_id, node_id: 'if' };
  const tried = await ok('POST', '/v1/expressions/evaluate', body);
  assert.deepEqual([tried.value, tried.error], [true, null]);
  assert.equal(
    (await ok('POST', '/v1/expressions/evaluate', { ...body, sample: { value: { amount: 1 } } })).value,
    false,
  );
  assert.deepEqual(await refusal('POST', '/v1/expressions/evaluate', body, runner), [403, 'forbidden']);
  const other = await app.workspace();
  assert.deepEqual(await refusal('POST', '/v1/expressions/evaluate', body, other), [404, 'not_found']);
});

test('refuses unknown steps and outputs, runs of other workflows, and what is too large', async () => {
  const [at, second] = [await make(), await make()];
  const status = async (body: object) => (await refusal('POST', `${at}/samples`, body))[0];
  assert.equal(await status({ node_id: 'nobody', outputs: {} }), 422);
  assert.equal(await status({ node_id: 'e', outputs: { outptu: 1 } }), 422);
  assert.equal(await status({ node_id: 'e' }), 422);
  assert.equal(await status({ node_id: 'e', outputs: { output: 'x'.repeat(300_000) } }), 422);
  const run = await ok('POST', `${second}/runs/sync`, { input: { n: 'x' } });
  assert.equal(await status({ node_id: 'e', run_id: run.id }), 404);
  const none = await ok('POST', `${at}/runs/sync`, { single_node_id: 'text', input: { 'text::variables': { x: 1 } } });
  assert.deepEqual(await refusal('POST', `${at}/samples`, { node_id: 'e', run_id: none.id }), [409, 'no_outputs']);
});

test('gives no outputs of a run to a key that may edit workflows but not read their runs', async () => {
  const at = await make();
  const run = await ok('POST', `${at}/runs/sync`, { input: { n: 'private' } });
  const editor = await keyWith('Editor', 'flows_edit');
  assert.deepEqual(await refusal('POST', `${at}/samples`, { node_id: 'e', run_id: run.id }, editor), [
    403,
    'forbidden',
  ]);
  await ok('POST', `${at}/samples`, { node_id: 'e', outputs: { output: 'by hand' } }, editor);
});

test('bounds the samples of a workflow together', async () => {
  const many = Array.from({ length: 9 }, (_, index) => aNode(`e${index}`, 'EffectNode'));
  const { id } = await ok('POST', '/v1/workflows', { name: 'Many', definition: { nodes: many, edges: [] } });
  const save = (index: number) =>
    refusal('POST', `/v1/workflows/${id}/samples`, { node_id: `e${index}`, outputs: { output: 'x'.repeat(250_000) } });
  for (let index = 0; index < 8; index++) assert.equal((await save(index))[0], 200);
  assert.deepEqual(await save(8), [409, 'samples_full']);
  assert.equal((await ok('GET', `/v1/workflows/${id}/samples`)).samples.length, 8);
});

test('shows samples only to those who may edit the workflow', async () => {
  const at = await make();
  const other = await app.workspace();
  await ok('POST', `${at}/samples`, { node_id: 'e', outputs: { output: 'zanthoxyl' } });
  for (const [method, path, body] of [
    ['GET', '/samples', undefined],
    ['POST', '/samples', { node_id: 'e', outputs: {} }],
    ['DELETE', '/samples/e', undefined],
  ] as const) {
    assert.deepEqual(await refusal(method, at + path, body, runner), [403, 'forbidden']);
    assert.deepEqual(await refusal(method, at + path, body, other), [404, 'not_found']);
  }
  assert.deepEqual(await refusal('POST', `${at}/runs`, { single_node_id: 'text', use_samples: true }, runner), [
    ...[403, 'forbidden'],
  ]);
  const copy = await ok('POST', `${at}/duplicate`, {});
  assert.deepEqual((await ok('GET', `/v1/workflows/${copy.id}/samples`)).samples, []);
  assert.ok(!JSON.stringify(await ok('GET', `${at}/export`)).includes('zanthoxyl'));
});
