import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { aNode, anEdge, flowsOf } from '../testing.ts';

const { call } = await testApp({ roles: ['http', 'worker'] });
const { flow, sync } = flowsOf(call);

const typed = (type: string, more: object = {}) =>
  flow(
    [aNode('in', 'InputNode', { label: 'Value', type, ...more }), aNode('o', 'OutputNode', { label: 'o' })],
    ['in.output -> o.input'],
  );

const start = (id: string, body: object) => call('POST', `/v1/workflows/${id}/runs`, body);

test('refuses an unknown input before the run, in both ways to start one', async () => {
  const id = await typed('str');
  for (const path of ['runs', 'runs/sync']) {
    const { status, json } = await call('POST', `/v1/workflows/${id}/${path}`, { input: { Value: 'x', Valeu: 'y' } });
    assert.equal(status, 422);
    assert.deepEqual(json.detail, [
      {
        loc: ['body', 'input', 'Valeu'],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
        input: 'y',
        ctx: {},
      },
    ]);
  }
  assert.equal((await call('GET', `/v1/workflows/${id}/runs`)).json.total, 0);
});

test('refuses a missing input by its label; a fixed value and a null for it count as given and not given', async () => {
  const id = await typed('str');
  for (const input of [{}, { Value: null }]) {
    const { status, json } = await start(id, { input });
    assert.equal(status, 422);
    assert.deepEqual(json.detail, [
      { loc: ['body', 'input', 'Value'], msg: 'Field required', type: 'missing', input, ctx: {} },
    ]);
  }
  assert.equal((await sync(await typed('str', { fixed_value: true, value: 'f' }))).output.o.text, 'f');
  assert.equal((await sync(await typed('str', { value: 'f' }))).output.o.text, 'f');
  const fixed = await flow(
    [
      aNode('in', 'InputNode', { label: 'Value' }, { inputs: [{ name: 'input', fixed_value: 'g' }] }),
      aNode('o', 'OutputNode', { label: 'o' }),
    ],
    ['in.output -> o.input'],
  );
  assert.equal((await sync(fixed)).output.o.text, 'g');
});

test('refuses a value of the wrong type under each of its names, and takes text that can be read', async () => {
  const cases: [type: string, wrong: unknown, error: string, right: unknown][] = [
    ['int', 'abc', 'int_parsing', '5'],
    ['int', 1.5, 'int_from_float', 5],
    ['int', [1], 'int_type', 5],
    ['float', 'hot', 'float_parsing', '1.5'],
    ['float', {}, 'float_type', 2],
    ['bool', 'maybe', 'bool_parsing', 'true'],
    ['bool', [], 'bool_type', false],
    ['dict', [1], 'dict_type', { a: 1 }],
    ['list', { a: 1 }, 'list_type', '[1]'],
  ];
  for (const [type, wrong, error, right] of cases) {
    const id = await typed(type);
    for (const name of ['Value', 'in', 'in::input']) {
      const { status, json } = await start(id, { input: { [name]: wrong } });
      assert.deepEqual([status, json.detail[0].type, json.detail[0].loc], [422, error, ['body', 'input', name]], type);
      assert.deepEqual(json.detail[0].input, wrong);
    }
    assert.equal((await sync(id, { Value: right })).status, 'completed', `${type} ${JSON.stringify(right)}`);
  }
});

test('refuses a file input that names no stored file', async () => {
  const id = await flow(
    [aNode('in', 'FileInputNode', { label: 'Invoice' }), aNode('o', 'OutputNode')],
    ['in.output -> o.input'],
  );
  const { status, json } = await start(id, { input: { Invoice: 'invoice.pdf' } });
  assert.deepEqual([status, json.detail[0].type, json.detail[0].loc[2]], [422, 'value_error', 'Invoice']);
  assert.equal((await start(id, {})).json.detail[0].type, 'missing');
});

test('reports every fault of the input at once, extras last', async () => {
  const id = await flow(
    [
      aNode('a', 'InputNode', { label: 'A' }),
      aNode('b', 'InputNode', { label: 'B', type: 'int' }),
      aNode('m', 'MergeNode', { mode: 'text' }),
    ],
    ['a.output -> m.values[a]', 'b.output -> m.values[b]'],
  );
  const { json } = await start(id, { input: { C: 1, B: 'x' } });
  assert.deepEqual(
    json.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[2], type]),
    [
      ['A', 'missing'],
      ['B', 'int_parsing'],
      ['C', 'extra_forbidden'],
    ],
  );
});

test('knows the names that expressions read and inputs of any node, and asks only for nodes that run', async () => {
  const id = await flow(
    [
      aNode('in', 'InputNode', { label: 'Value' }),
      aNode('x', 'JsonTransformNode', { expression: 'run.input.Other + run.input["third one"] + value' }),
      aNode('o', 'OutputNode', { label: 'o' }),
    ],
    ['in.output -> x.value', 'x.output -> o.input'],
  );
  const run = await sync(id, { Value: 'a', Other: 'b', 'third one': 'c' });
  assert.equal(run.output.o.value, 'bca');
  assert.equal((await start(id, { input: { Value: 'a', Fourth: 'b' } })).json.detail[0].loc[2], 'Fourth');
  const alone = await sync(id, { 'x::value': 'd', Other: 'b', 'third one': 'c' }, '', { single_node_id: 'x' });
  assert.equal(alone.output.x.value, 'bcd');
});

test('ignores unknown values when a trigger starts the run', async () => {
  const id = await typed('str');
  const body = { name: 'hook', definition: { type: 'webhook' } };
  const { json: trigger } = await call('POST', `/v1/workflows/${id}/triggers`, body);
  const fired = await call('POST', `/v1/triggers/${trigger.id}/fire`, { input: { Value: 'x', Unknown: 1 } });
  assert.equal(fired.status, 200, fired.text);
  const sent = await call('POST', `/hooks/${trigger.routing_key}`, { Value: 'y', Unknown: 1 }, { key: null });
  assert.ok(sent.status < 300, sent.text);
  const runs = await until('both runs are over', async () => {
    const { json } = await call('GET', `/v1/workflows/${id}/runs`);
    const over = json.items.filter(({ finished_at }: { finished_at: string | null }) => finished_at);
    return over.length === 2 ? over : undefined;
  });
  type Over = { status: string; output: Record<string, { text: string }> };
  const outputs = runs.map(({ status, output }: Over) => [status, output['o::output']?.text]);
  assert.deepEqual(outputs.sort(), [
    ['completed', 'x'],
    ['completed', 'y'],
  ]);
});

test('checks the input against the version that is to run', async () => {
  const id = await typed('str');
  const definition = {
    nodes: [aNode('in', 'InputNode', { label: 'Number', type: 'int' }), aNode('o', 'OutputNode', { label: 'o' })],
    edges: [anEdge('in.output -> o.input')],
  };
  const { json: version } = await call('POST', `/v1/workflows/${id}/versions`, { name: 'v', definition });
  const body = { input: { Number: 'x' }, workflow_version_id: version.id };
  assert.equal((await start(id, body)).json.detail[0].type, 'int_parsing');
  assert.equal((await start(id, { ...body, input: { Number: 7 } })).status, 200);
});
