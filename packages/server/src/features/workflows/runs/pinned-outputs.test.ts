import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { aNode, flowsOf, watchedNodes } from '../testing.ts';

const { watched, nodes } = watchedNodes();
watched.failing = false;
const app = await testApp({}, { nodes });
const { call } = app;
const { flow, sync } = flowsOf(call);

const looped = () =>
  flow(
    [
      aNode('in', 'InputNode', { label: 'list', type: 'list' }),
      aNode('loop', 'LoopNode'),
      aNode('e', 'EffectNode'),
      aNode('text', 'ComposeTextNode', { template: '((i)): ((x))' }),
      aNode('o', 'OutputNode', { label: 'o' }),
    ],
    [
      'in.output -> loop.list',
      'loop.item -> e.value',
      'e.output -> text.variables[x]',
      'loop.index -> text.variables[i]',
      'text.output -> loop.result',
      'loop.results -> o.input',
    ],
  );

test('executes one step with pinned outputs of the nodes before it, and no other', async () => {
  watched.done.length = 0;
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('e', 'EffectNode'),
      aNode('text', 'ComposeTextNode', { template: 'got ((x))' }),
      aNode('f', 'EffectNode'),
    ],
    ['in.output -> e.value', 'e.output -> text.variables[x]', 'text.output -> f.value'],
  );
  const pinned_outputs = { e: { output: 'pinned' } };
  const run = await sync(id, {}, '?use_output_ids=true', { single_node_id: 'text', pinned_outputs });
  assert.deepEqual([run.status, run.output['text::output'].text], ['completed', 'got pinned']);
  assert.deepEqual([watched.done, run.pinned_outputs], [[], pinned_outputs]);
});

test('executes one step inside of a loop, with inputs from the run or from pinned nodes', async () => {
  watched.done.length = 0;
  const id = await looped();
  const byInput = await sync(id, { 'text::variables': { i: 3, x: 'a' } }, '?use_output_ids=true', {
    single_node_id: 'text',
  });
  assert.equal(byInput.output['text::output'].text, '3: a');
  const pinned_outputs = { loop: { index: 7 }, e: { output: 'b' } };
  const byPins = await sync(id, {}, '?use_output_ids=true', { single_node_id: 'text', pinned_outputs });
  assert.deepEqual([byPins.output['text::output'].text, watched.done], ['7: b', []]);
});

test('uses pinned outputs in every round of a whole run, only where the node is reached', async () => {
  watched.done.length = 0;
  const run = await sync(await looped(), { list: ['a', 'b'] }, '', { pinned_outputs: { e: { output: 'p' } } });
  assert.deepEqual([run.output.o.value, watched.done], [['0: p', '1: p'], []]);
  const branches = await flow(
    [
      aNode('if', 'ConditionNode', { expression: 'true' }),
      aNode('yes', 'OutputNode', { label: 'yes' }),
      aNode('no', 'OutputNode', { label: 'no' }),
    ],
    ['if.true -> yes.input', 'if.false -> no.input'],
  );
  const pinned_outputs = { no: { output: 'never' } };
  assert.deepEqual(Object.keys((await sync(branches, {}, '', { pinned_outputs })).output), ['yes']);
});

test('refuses pinned outputs of unknown nodes and outputs, and callers without flows_edit', async () => {
  const id = await looped();
  const start = (pinned_outputs: unknown, key?: string) =>
    call('POST', `/v1/workflows/${id}/runs`, { input: { list: [] }, pinned_outputs }, key ? { key } : {});
  const locs = async (pinned: unknown) => (await start(pinned)).json.detail.map(({ loc }: { loc: string[] }) => loc);
  assert.deepEqual(await locs({ nobody: { output: 1 } }), [['body', 'pinned_outputs', 'nobody']]);
  assert.deepEqual(await locs({ e: { outptu: 1 } }), [['body', 'pinned_outputs', 'e', 'outptu']]);
  assert.deepEqual(await locs({ e: 5 }), [['body', 'pinned_outputs', 'e']]);
  const { json: me } = await call('GET', '/v1/admin/me');
  const group = `/v1/admin/groups/${me.group_id}/api-keys`;
  const { json: runner } = await call('POST', group, { name: 'runner', permissions: ['flows_run'] });
  assert.equal((await start({ e: { output: 1 } }, runner.value)).status, 403);
  assert.equal((await start(undefined, runner.value)).status, 200);
});
