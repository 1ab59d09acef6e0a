import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { aNode, anEdge, flowsOf, watchedNodes } from '../testing.ts';

const { watched, nodes } = watchedNodes();
const app = await testApp({}, { nodes });
const { call } = app;
const { flow, sync, ended } = flowsOf(call);

const definitionOf = (parts: object[], edges: string[]) => ({ nodes: parts, edges: edges.map(anEdge) });
const retry = (id: string, body?: object, key?: string) =>
  call('POST', `/v1/runs/${id}/retry`, body, key ? { key } : {});
const retried = async (id: string, body?: object) => {
  const { status, json, text } = await retry(id, body);
  assert.equal(status, 200, text);
  return ended(json.id);
};

const edges = ['in.output -> a.value', 'a.output -> b.value', 'b.output -> f.value', 'f.output -> o.input'];
const chain = (b: object = {}) => [
  aNode('in', 'InputNode', { label: 'n' }),
  aNode('a', 'EffectNode'),
  aNode('b', 'EffectNode', b as Record<string, unknown>),
  aNode('f', 'FlakyNode'),
  aNode('o', 'OutputNode', { label: 'o' }),
];

test('retries with the current version: keeps finished steps, repeats changed ones with what depends on them', async () => {
  watched.failing = true;
  watched.done.length = 0;
  const id = await flow(chain(), edges);
  const run = await sync(id, { n: 'x' });
  assert.deepEqual([run.status, watched.done], ['failed', [`${run.id}:a`, `${run.id}:b`]]);

  watched.failing = false;
  const fixed = [
    ...chain({ max_retries: 1 }).slice(0, 3),
    aNode('f', 'EffectNode'),
    aNode('o', 'OutputNode', { label: 'p' }),
  ];
  await call('PATCH', `/v1/workflows/${id}`, { definition: definitionOf(fixed, edges) });
  watched.done.length = 0;
  const over = await retried(run.id, { version: 'current' });
  assert.deepEqual([over.status, over.retry_of, over.output['o::output'].label], ['completed', run.id, 'p']);
  // The changed node b and the one behind it run again under keys of the new run; the unchanged a does not.
  assert.deepEqual(watched.done, [`${over.id}:b`, `${over.id}:f`]);
});

test('retries with the original definition unless the current one is asked for', async () => {
  watched.failing = true;
  const id = await flow(chain(), edges);
  const run = await sync(id, { n: 'x' });
  watched.failing = false;
  const other = definitionOf([aNode('o', 'ComposeTextNode', { template: 'other' })], []);
  await call('PATCH', `/v1/workflows/${id}`, { definition: other });
  for (const body of [undefined, {}, { version: 'original' }]) {
    const over = await retried(run.id, body);
    assert.equal(over.output['o::output'].text, 'x');
  }
  const { status, json } = await retry(run.id, { version: 'newest' });
  assert.deepEqual([status, json.detail[0].type], [422, 'literal_error']);
});

test('begins a loop anew when a node inside of it was changed, and keeps what stands before it', async () => {
  watched.failing = true;
  watched.done.length = 0;
  const parts = (inner: object = {}) => [
    aNode('in', 'InputNode', { label: 'list', type: 'list' }),
    aNode('a', 'EffectNode'),
    aNode('loop', 'LoopNode'),
    aNode('e', 'EffectNode', inner as Record<string, unknown>),
    aNode('f', 'FlakyNode'),
    aNode('o', 'OutputNode', { label: 'o' }),
  ];
  const wires = [
    'in.output -> a.value',
    'a.output -> loop.list',
    'loop.item -> e.value',
    'e.output -> loop.result',
    'loop.results -> f.value',
    'f.output -> o.input',
  ];
  const id = await flow(parts(), wires);
  const run = await sync(id, { list: [1, 2] });
  assert.equal(run.status, 'failed');
  watched.failing = false;
  await call('PATCH', `/v1/workflows/${id}`, { definition: definitionOf(parts({ max_retries: 1 }), wires) });
  watched.done.length = 0;
  const over = await retried(run.id, { version: 'current' });
  assert.deepEqual(over.output['o::output'].value, [1, 2]);
  assert.deepEqual(watched.done, [`${over.id}:loop#0/e`, `${over.id}:loop#1/e`, `${over.id}:f`]);
});

test('continues a nested workflow with its current version and its finished steps', async () => {
  watched.failing = true;
  watched.done.length = 0;
  const inner = (f: string) => [aNode('e', 'EffectNode'), aNode('f', f), aNode('io', 'OutputNode', { label: 'r' })];
  const wires = ['e.output -> f.value', 'f.output -> io.input'];
  const nested = await flow(inner('FlakyNode'), wires);
  const id = await flow(
    [aNode('sub', 'SubWorkflowNode', { workflow_id: nested }), aNode('o', 'OutputNode', { label: 'o' })],
    ['sub.output -> o.input'],
  );
  const run = await sync(id);
  assert.equal(run.status, 'failed');
  await call('PATCH', `/v1/workflows/${nested}`, { definition: definitionOf(inner('EffectNode'), wires) });
  const original = await retried(run.id);
  assert.equal(original.status, 'failed', 'the nested workflow that the run began with still fails');
  watched.done.length = 0;
  const over = await retried(run.id, { version: 'current' });
  assert.deepEqual([over.status, watched.done.map((key) => key.split(':')[1])], ['completed', ['sub/f']]);
});

test('does not keep the steps behind an error handler when the retry succeeds', async () => {
  watched.failing = true;
  const id = await flow(
    [
      aNode('f', 'FlakyNode'),
      aNode('ok', 'OutputNode', { label: 'ok' }),
      aNode('h', 'ErrorHandlerNode', { outcome: 'failed' }),
      aNode('bad', 'OutputNode', { label: 'bad' }),
    ],
    ['f.output -> ok.input', 'h.error -> bad.input'],
  );
  const run = await sync(id);
  assert.equal(run.status, 'failed');
  watched.failing = false;
  const over = await retried(run.id);
  assert.deepEqual([over.status, Object.keys(over.output)], ['completed', ['ok::output']]);
});

test('refuses to retry with a current version that is invalid, lacks the node, or is another workspace’s', async () => {
  watched.failing = true;
  const id = await flow(chain(), edges);
  const run = await sync(id, { n: 'x' });
  const single = await sync(id, {}, '', { single_node_id: 'f' });
  await call('PATCH', `/v1/workflows/${id}`, { definition: definitionOf([aNode('o', 'InputNode')], []) });
  const gone = await retry(single.id, { version: 'current' });
  assert.deepEqual([gone.status, gone.json.code], [409, 'node_missing']);
  await call('PATCH', `/v1/workflows/${id}?force=true`, { definition: definitionOf([aNode('o', 'NoSuchNode')], []) });
  const invalid = await retry(run.id, { version: 'current' });
  assert.deepEqual([invalid.status, invalid.json.code], [409, 'workflow_invalid']);
  const stranger = await app.workspace();
  assert.equal((await retry(run.id, { version: 'current' }, stranger.key)).status, 404);
  const weak = await app.workspace(['agents_run']);
  assert.equal((await retry(run.id, { version: 'current' }, weak.key)).status, 404);
});

test('refuses the current version for a run of a conversation', async () => {
  const { json: talk } = await call('POST', '/v1/conversations', { settings: { model: ['atrium/extractive'] } });
  await call('POST', `/v1/conversations/${talk.id}`, { content: 'Hello' });
  const { json: runs } = await call('GET', `/v1/runs?conversation_id=${talk.id}`);
  const { status, json } = await retry(runs.items[0].id, { version: 'current' });
  assert.deepEqual([status, json.detail?.[0].loc], [422, ['body', 'version']]);
});
