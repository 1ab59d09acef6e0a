import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { aNode, flowsOf, watchedNodes } from '../testing.ts';

const { watched, nodes } = watchedNodes();
const app = await testApp({}, { nodes });
const { call } = app;
const { flow, sync } = flowsOf(call);

interface Progress {
  status: string;
  progress: number;
  times: number;
  completed: number;
  failed: number;
  skipped: number;
  rounds: number | null;
}
const nodeOf = (run: { progress_details: { per_node_progress: Record<string, Progress> } }, id: string) => {
  const { status, completed, failed, skipped, rounds } = run.progress_details.per_node_progress[id] as Progress;
  return { status, completed, failed, skipped, rounds };
};

/** A list of lists: the outer loop has a round for each list, the inner one for each number of it. */
const nested = (config: Record<string, unknown> = {}) =>
  flow(
    [
      aNode('in', 'InputNode', { label: 'lists', type: 'list' }),
      aNode('outer', 'LoopNode', config),
      aNode('inner', 'LoopNode', config),
      aNode('if', 'ConditionNode', { expression: 'value > 2' }),
      aNode('big', 'ComposeTextNode', { template: 'big ((v))' }),
      aNode('small', 'ComposeTextNode', { template: 'small ((v))' }),
      aNode('o', 'OutputNode', { label: 'o' }),
    ],
    [
      'in.output -> outer.list',
      'outer.item -> inner.list',
      'inner.item -> if.value',
      'if.true -> big.variables[v]',
      'if.false -> small.variables[v]',
      'big.output -> inner.result',
      'small.output -> inner.result',
      'inner.results -> outer.result',
      'outer.results -> o.input',
    ],
  );

for (const at_once of [1, 4])
  test(`counts every round of nested loops on nodes and edges, ${at_once} at once`, async () => {
    const run = await sync(await nested({ at_once }), { lists: [[1, 2, 3], [4], []] });
    assert.deepEqual(run.output.o.value, [['small 1', 'small 2', 'big 3'], ['big 4'], []]);
    const details = run.progress_details;
    assert.deepEqual(details.per_edge_counts, {
      'in.output -> outer.list': 1,
      'outer.item -> inner.list': 3,
      'inner.item -> if.value': 4,
      'if.true -> big.variables[v]': 2,
      'if.false -> small.variables[v]': 2,
      'big.output -> inner.result': 2,
      'small.output -> inner.result': 2,
      'inner.results -> outer.result': 3,
      'outer.results -> o.input': 1,
    });
    assert.ok(Object.values(details.per_edge_progress).every((status) => status === 'completed'));
    const none = { failed: 0, rounds: null };
    assert.deepEqual(nodeOf(run, 'outer'), { ...none, status: 'completed', completed: 1, skipped: 0, rounds: 3 });
    assert.deepEqual(nodeOf(run, 'inner'), { ...none, status: 'completed', completed: 3, skipped: 0, rounds: 4 });
    assert.deepEqual(nodeOf(run, 'if'), { ...none, status: 'completed', completed: 4, skipped: 0 });
    assert.deepEqual(nodeOf(run, 'big'), { ...none, status: 'completed', completed: 2, skipped: 2 });
    assert.deepEqual([details.skipped_nodes, details.remaining_nodes, details.running_nodes], [[], [], []]);
    const { json } = await call('GET', `/v1/runs/${run.id}`);
    assert.deepEqual(json.progress_details, details, 'the stored counts are those of the answer');
  });

test('streams an event for each round, with its path and a progress that never falls', async () => {
  const { id } = await sync(await nested(), { lists: [[1, 2, 3], [4, 5], [6]] });
  const { text } = await call('GET', `/v1/runs/${id}/events`);
  const frames = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
  const ends = frames.flatMap(({ type, data }) =>
    type === 'content' && data.id === 'big' && data.status === 'completed' ? [data.path] : [],
  );
  assert.deepEqual(ends, ['outer#0/inner#2/big', 'outer#1/inner#0/big', 'outer#1/inner#1/big', 'outer#2/inner#0/big']);
  const percents = frames.flatMap(({ data }) => (data.progress === undefined ? [] : [data.progress as number]));
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  );
});

test('shows a loop without rounds and a loop that no value reached as skipped inside', async () => {
  const empty = await sync(await nested(), { lists: [] });
  assert.deepEqual(empty.progress_details.skipped_nodes, ['inner', 'if', 'big', 'small']);
  assert.deepEqual(empty.progress_details.remaining_nodes, []);
  assert.equal(empty.progress_details.per_edge_counts['outer.item -> inner.list'], 0);
  assert.equal(empty.progress_details.per_edge_progress['inner.item -> if.value'], 'skipped');
  const id = await flow(
    [
      aNode('if', 'ConditionNode', { expression: 'false' }),
      aNode('loop', 'LoopNode'),
      aNode('each', 'ComposeTextNode', { template: '((x))' }),
    ],
    ['if.true -> loop.list', 'loop.item -> each.variables[x]', 'each.output -> loop.result'],
  );
  const { progress_details: details } = await sync(id);
  assert.deepEqual([details.skipped_nodes, details.remaining_nodes], [['loop', 'each'], []]);
  assert.deepEqual(new Set(Object.values(details.per_edge_counts)), new Set([0]));
});

/** Each round fails for the item `bad`, in the way that the edges say. */
const failing = (config: Record<string, unknown>, more: string[]) =>
  flow(
    [
      aNode('in', 'InputNode', { label: 'list', type: 'list' }),
      aNode('loop', 'LoopNode', config),
      aNode('check', 'JsonTransformNode', { expression: 'number(value)' }),
      aNode('after', 'ComposeTextNode', { template: '((x))' }),
      aNode('bad', 'ComposeTextNode', { template: 'bad' }),
      aNode('o', 'OutputNode', { label: 'o' }),
    ],
    [
      'in.output -> loop.list',
      'loop.item -> check.value',
      'check.output -> after.variables[x]',
      'after.output -> loop.result',
      'loop.results -> o.input',
      ...more,
    ],
  );

test('counts failed rounds and error branches of a loop that goes on', async () => {
  const list = ['1', 'x', '3', 'y'];
  const on = await sync(await failing({ continue_on_error: true }, []), { list });
  assert.deepEqual(nodeOf(on, 'check'), { status: 'failed', completed: 2, failed: 2, skipped: 0, rounds: null });
  assert.deepEqual(nodeOf(on, 'after').completed, 2);
  assert.deepEqual([on.status, on.progress_details.per_edge_counts['loop.item -> check.value']], ['completed', 4]);
  assert.equal(on.progress_details.per_edge_counts['check.output -> after.variables[x]'], 2);

  const branch = ['check.on_error -> bad.variables[e]', 'bad.output -> loop.result'];
  const caught = await sync(await failing({}, branch), { list });
  assert.deepEqual(caught.output.o.value, ['1', 'bad', '3', 'bad']);
  const counts = caught.progress_details.per_edge_counts;
  assert.deepEqual(
    [counts['check.on_error -> bad.variables[e]'], counts['check.output -> after.variables[x]']],
    [2, 2],
  );
  assert.deepEqual([counts['bad.output -> loop.result'], counts['after.output -> loop.result']], [2, 2]);
});

test('shows where a loop broke off', async () => {
  const run = await sync(await failing({}, []), { list: ['1', 'x', '3'] });
  assert.deepEqual([run.status, run.error.node_id], ['failed', 'check']);
  assert.deepEqual(nodeOf(run, 'check'), { status: 'failed', completed: 1, failed: 1, skipped: 0, rounds: null });
  assert.equal(nodeOf(run, 'loop').rounds, 3);
  assert.equal(run.progress_details.per_edge_counts['loop.item -> check.value'], 2);
  assert.ok(run.progress < 100);
});

test('counts an error handler as executed, and the steps of a nested workflow by its own execution', async () => {
  watched.failing = true;
  const handled = await flow(
    [aNode('f', 'FlakyNode'), aNode('h', 'ErrorHandlerNode'), aNode('o', 'OutputNode', { label: 'o' })],
    ['h.error -> o.input'],
  );
  const run = await sync(handled);
  assert.deepEqual(run.progress_details.executed_nodes, ['f', 'h', 'o']);
  assert.equal(run.progress_details.per_edge_counts['h.error -> o.input'], 1);

  const inner = await flow(
    [aNode('v', 'InputNode', { label: 'v' }), aNode('r', 'OutputNode', { label: 'r' })],
    ['v.output -> r.input'],
  );
  const looped = await flow(
    [
      aNode('in', 'InputNode', { label: 'list', type: 'list' }),
      aNode('loop', 'LoopNode', { at_once: 3 }),
      aNode('sub', 'SubWorkflowNode', { workflow_id: inner }),
      aNode('o', 'OutputNode', { label: 'o' }),
    ],
    ['in.output -> loop.list', 'loop.item -> sub.inputs[v]', 'sub.output -> loop.result', 'loop.results -> o.input'],
  );
  const { progress_details: details } = await sync(looped, { list: ['a', 'b', 'c'] });
  assert.deepEqual(details.subflow_executions.sub, Array(3).fill({ workflow_id: inner, executed: 2 }));
});
