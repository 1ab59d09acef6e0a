import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { makeAccountKey } from '../../../../test/support/account-key.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { aNode, anEdge } from '../testing.ts';

const app = await testApp();
const { call } = app;
const home = await app.workspace();
const keyWith = async (...permissions: string[]) => ({
  key: (await makeAccountKey(app, home.id, permissions)).value,
});
const by = { key: home.key };

const validate = async (definition: object, more: object = {}) => {
  const { status, json, text } = await call('POST', '/v1/workflows/validate', { definition, ...more }, by);
  assert.equal(status, 200, text);
  return json as {
    valid: boolean;
    errors: { loc: string[]; type: string; node_id: string | null; edge: number | null }[];
  };
};
const evaluate = async (body: object) => {
  const { status, json, text } = await call('POST', '/v1/expressions/evaluate', body, by);
  assert.equal(status, 200, text);
  return json;
};

test('checks a definition without saving it', async () => {
  const good = {
    nodes: [aNode('in', 'InputNode', { label: 'n' }), aNode('out', 'OutputNode', { label: 'n' })],
    edges: [anEdge('in.output -> out.input')],
  };
  assert.deepEqual(await validate(good), { valid: true, errors: [] });
  assert.equal((await call('GET', '/v1/workflows', undefined, by)).json.total, 0);
});

test('names the place of each error as a save does', async () => {
  const definition = {
    nodes: [aNode('a', 'ConditionNode', { expression: 'value >' }), aNode('b', 'NobodyNode')],
    edges: [anEdge('a.true -> gone.input')],
  };
  const { valid, errors } = await validate(definition);
  assert.equal(valid, false);
  const saved = await call('POST', '/v1/workflows', { definition }, by);
  assert.equal(saved.status, 422);
  assert.deepEqual(
    errors.map(({ loc }) => loc),
    saved.json.detail.map(({ loc }: { loc: string[] }) => loc),
  );
  const places = errors.map(({ loc, node_id, edge }) => [loc.slice(2, 4).join('.'), node_id, edge]);
  assert.ok(places.some((place) => JSON.stringify(place) === '["nodes.0","a",null]'));
  assert.ok(places.some((place) => JSON.stringify(place) === '["nodes.1","b",null]'));
  assert.ok(places.some((place) => JSON.stringify(place) === '["edges.0",null,0]'));
});

/** Loops that all share the nodes after them: each of them is an error of each loop. */
function sharedLoops(count: number) {
  const names = Array.from({ length: count }, (_, index) => index);
  return {
    nodes: [
      ...names.map((index) => aNode(`loop${index}`, 'LoopNode')),
      ...names.map((index) => aNode(`step${index}`, 'ComposeTextNode', { template: 't' })),
    ],
    edges: [
      ...names.map((index) => anEdge(`loop${index}.item -> step0.variables[v${index}]`)),
      ...names.slice(1).map((index) => anEdge(`step${index - 1}.output -> step${index}.variables[v]`)),
    ],
  };
}

test('takes no more than quadratic time for many loops that all share their nodes', async () => {
  /** The shortest of three times: the machine may be busy with other work in between. */
  async function shortestTime(count: number): Promise<number> {
    const times: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const start = Date.now();
      assert.equal((await validate(sharedLoops(count))).errors.length, 100);
      times.push(Date.now() - start);
    }
    return Math.max(1, Math.min(...times));
  }
  const [few, many] = [await shortestTime(50), await shortestTime(300)];
  assert.ok(many < 100 * few, `50 loops took ${few} ms, 300 took ${many} ms`);
});

test('reports a wrong shape and records of other workspaces as errors', async () => {
  const shape = await validate({ nodes: 'none', edges: [] });
  assert.deepEqual([shape.valid, shape.errors[0]?.loc], [false, ['body', 'definition', 'nodes']]);
  const other = await app.workspace();
  const { json: flow } = await call('POST', '/v1/workflows', { name: 'theirs' }, { key: other.key });
  const locsFor = async (workflow_id: string) =>
    (await validate({ nodes: [aNode('sub', 'SubWorkflowNode', { workflow_id })], edges: [] })).errors.map(
      ({ loc, type }) => [loc, type],
    );
  assert.deepEqual(await locsFor(flow.id), await locsFor(randomUUID()));
  const own = await call('POST', '/v1/workflows', { name: 'ours' }, by);
  const isAtReference = ([loc]: (string | string[])[]) => String(loc).endsWith('workflow_id');
  assert.equal((await locsFor(flow.id)).some(isAtReference), true);
  assert.equal((await locsFor(own.json.id)).some(isAtReference), false);
});

test('refuses callers who could not save or run a workflow', async () => {
  const definition = { nodes: [aNode('v', 'VariableNode', { name: 'token' })], edges: [] };
  const refusal = async (path: string, body: object, key: { key: string }) => {
    const { status, json } = await call('POST', path, body, key);
    return [status, json.code];
  };
  assert.deepEqual(await refusal('/v1/workflows/validate', { definition }, await keyWith('flows_run')), [
    403,
    'forbidden',
  ]);
  assert.deepEqual(await refusal('/v1/workflows/validate', { definition }, await keyWith('flows_edit')), [
    403,
    'variables_forbidden',
  ]);
  const expression = { expression: '1' };
  assert.deepEqual(await refusal('/v1/expressions/evaluate', expression, await keyWith('tables_read')), [
    403,
    'forbidden',
  ]);
  assert.deepEqual((await refusal('/v1/expressions/evaluate', expression, await keyWith('flows_run')))[0], 200);
});

test('evaluates an expression with a sample', async () => {
  const sample = { rows: [{ amount: 70 }, { amount: 50 }] };
  const answer = await evaluate({ expression: 'sum(map(rows, item.amount))', sample });
  assert.deepEqual([answer.value, answer.error], [120, null]);
});

test('answers why an expression has no value, and where', async () => {
  assert.equal((await evaluate({ expression: 'nobody(1)' })).error.at, 0);
  assert.match((await evaluate({ expression: 'missing' })).error.message, /missing/);
  for (const expression of ['constructor', 'process.exit()', 'a.constructor.constructor("return 1")()'])
    assert.ok((await evaluate({ expression, sample: { a: {} } })).error, expression);
  const nested = 'map(range(1000), map(range(1000), map(range(1000), item)))';
  assert.match((await evaluate({ expression: nested })).error.message, /steps/);
});

test('completes names, keys and functions at the cursor', async () => {
  const sample = { order: { id: 1, items: [{ price: 2 }] }, other: 'x' };
  const at = async (expression: string, cursor?: number) => {
    const { completions, replace_from } = await evaluate({ expression, sample, cursor });
    return [completions.map(({ text }: { text: string }) => text), replace_from];
  };
  assert.deepEqual(await at('1 + o'), [['order', 'other'], 4]);
  assert.deepEqual(await at('order.'), [['id', 'items'], 6]);
  assert.deepEqual(await at('upper(order.i) + 1', 13), [['id', 'items'], 12]);
  assert.deepEqual(await at('order.items[0].p'), [['price'], 15]);
  assert.deepEqual(await at('other.'), [['length'], 6]);
  assert.deepEqual(await at('uni'), [['unique'], 0]);
  assert.deepEqual(await at('gone.'), [[], 5]);
  assert.deepEqual(await at('order.constructor.'), [[], 18]);
});
