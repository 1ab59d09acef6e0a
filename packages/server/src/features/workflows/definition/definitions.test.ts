import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { testApp } from '../../../../test/support/test-app.ts';
import { aNode, anEdge } from '../testing.ts';

const { call, workspace } = await testApp();

const save = (nodes: unknown[], edges: unknown[], query = '', more: object = {}) =>
  call('POST', `/v1/workflows${query}`, { name: 'test', definition: { nodes, edges }, ...more });
const locs = ({ json }: { json: { detail: { loc: string[]; type: string }[] } }) =>
  json.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);

test('accepts an empty graph and returns definitions unchanged', async () => {
  const made = await call('POST', '/v1/workflows', {});
  assert.deepEqual(
    [made.status, made.json.name, made.json.type, made.json.definition, made.json.valid],
    [200, 'Untitled Workflow', 'flow', { nodes: [], edges: [] }, true],
  );
  const definition = {
    nodes: [
      {
        ...aNode('in', 'InputNode', { label: 'x', own: [1, null] }),
        display: { position: { x: 350, y: 0 } },
        connector_config: { inputs: [{ name: 'input', keys: ['leaked'] }], outputs: [] },
        config_definition: { label: { type: 'str' } },
        subflow_config: null,
        subflow_id: null,
      },
    ],
    edges: [],
    viewport: { zoom: 1 },
  };
  const { json, status } = await call('POST', '/v1/workflows', { name: 'same', definition });
  assert.equal(status, 200);
  assert.deepEqual((await call('GET', `/v1/workflows/${json.id}`)).json.definition, definition);
});

test('reports validation errors with their position in the definition', async () => {
  const answer = await save(
    [
      aNode('a', 'InputNode', { fixed_value: 'perhaps' }),
      aNode('b', 'ComposeTextNode'),
      aNode('c', 'NobodyNode'),
      aNode('a', 'OutputNode'),
      aNode('d', 'ConditionNode', { expression: 'value >' }),
      aNode('e', 'TextGenerationNode', { label: 'only' }),
      aNode('f', 'SwitchNode', { cases: ['true', 'nobody()'] }),
    ],
    [
      anEdge('b.output -> nobody.input'),
      anEdge('b.wrong -> d.value'),
      anEdge('b.output -> d.variables'),
      anEdge('x.output -> d.value'),
      anEdge('c.output -> d.value'),
    ],
  );
  assert.equal(answer.status, 422);
  const found = locs(answer);
  // The node exists; its type is wrong, and that is reported once.
  assert.ok(!found.some((validationError) => validationError.startsWith('body.definition.edges.4')));
  for (const expected of [
    'body.definition.nodes.0.node_config.fixed_value bool_parsing',
    'body.definition.nodes.1.node_config.template missing',
    'body.definition.nodes.2.type value_error',
    'body.definition.nodes.3.id value_error',
    'body.definition.nodes.3.inputs.input missing',
    'body.definition.nodes.4.node_config.expression value_error',
    'body.definition.nodes.5.node_config.template missing',
    'body.definition.nodes.6.node_config.cases.1 value_error',
    'body.definition.edges.0.to_id.node_id value_error',
    'body.definition.edges.1.from_id.connector_name value_error',
    'body.definition.edges.2.to_id.key missing',
    'body.definition.edges.3.from_id.node_id value_error',
  ])
    assert.ok(found.includes(expected), `${expected} is not among\n${found.join('\n')}`);
  assert.match(answer.text, /no such output; it has output, on_error"/, 'what there is instead');
  assert.deepEqual(locs(await call('POST', '/v1/workflows', { definition: { nodes: 1 } })), [
    'body.definition.nodes list_type',
  ]);
});

test('reports an unknown type of node alone, not the inputs that the node would fill', async () => {
  const nodes = [aNode('a', 'NobodyNode'), aNode('b', 'OutputNode')];
  assert.deepEqual(locs(await save(nodes, [anEdge('a.output -> b.input')])), [
    'body.definition.nodes.0.type value_error',
  ]);
});

test('refuses a cycle outside of a loop, and a loop without a proper body', async () => {
  const around = await save(
    [aNode('a', 'ComposeTextNode', { template: 'x' }), aNode('b', 'ComposeTextNode', { template: 'y' })],
    [anEdge('a.output -> b.variables[k]'), anEdge('b.output -> a.variables[k]')],
  );
  assert.deepEqual(locs(around), ['body.definition.nodes.0 value_error', 'body.definition.nodes.1 value_error']);
  const loop = (edges: string[], extra: object[] = []) =>
    save(
      [aNode('in', 'InputNode'), aNode('loop', 'LoopNode'), aNode('x', 'ComposeTextNode', { template: 't' }), ...extra],
      ['in.output -> loop.list', ...edges].map(anEdge),
    );
  const good = await loop(['loop.item -> x.variables[i]', 'x.output -> loop.result']);
  assert.equal(good.status, 200, good.text);
  const itself = await loop(['loop.item -> x.variables[i]', 'x.output -> loop.list']);
  assert.ok(locs(itself).some((text) => text.startsWith('body.definition.edges.2.to_id ')));
  const outside = await loop(['loop.results -> x.variables[i]', 'x.output -> loop.result']);
  assert.equal(outside.status, 422);
  const both = await loop(['loop.item -> x.variables[i]', 'loop.results -> x.variables[all]']);
  assert.deepEqual(locs(both), ['body.definition.nodes.2 value_error']);
  const ends = await loop(['loop.item -> o.input'], [aNode('o', 'OutputNode')]);
  assert.deepEqual(locs(ends), ['body.definition.nodes.3 value_error']);
});

test('stores an invalid definition with force, refuses to run it, and refuses ids of another workspace', async () => {
  const nodes = [aNode('b', 'ComposeTextNode')];
  const { status, json } = await save(nodes, [], '?force=True');
  assert.deepEqual([status, json.valid], [200, false]);
  const refused = await call('POST', `/v1/workflows/${json.id}/runs`, {});
  assert.deepEqual([refused.status, refused.json.code], [409, 'workflow_invalid']);
  const fixed = [aNode('b', 'ComposeTextNode', { template: 'x' })];
  const patched = await call('PATCH', `/v1/workflows/${json.id}`, { definition: { nodes: fixed } });
  assert.deepEqual(
    [patched.status, patched.json.valid, patched.json.definition],
    [200, true, { nodes: fixed, edges: [] }],
  );
  assert.equal((await call('POST', `/v1/workflows/${json.id}/runs`, {})).status, 200);
  const { key } = await workspace();
  const theirs = await call('POST', '/v1/workflows', {}, { key });
  for (const id of [theirs.json.id, randomUUID()]) {
    const sub = await save([aNode('s', 'SubWorkflowNode', { workflow_id: id })], [], '?force=true');
    assert.deepEqual(locs(sub), ['body.definition.nodes.0.node_config.workflow_id value_error']);
    assert.deepEqual(locs(await save([], [], '', { error_handler: id })), ['body.error_handler value_error']);
  }
});

test('refuses versions of another workflow and lists that are too short', async () => {
  const { json: sub } = await call('POST', '/v1/workflows', { definition: { nodes: null, edges: null } });
  const { json: other } = await call('POST', '/v1/workflows', {});
  assert.deepEqual(sub.definition, { nodes: [], edges: [] });
  const { json: version } = await call('POST', `/v1/workflows/${sub.id}/versions`, { name: 'v1' });
  const running = (workflow_id: string, version_id: string) =>
    save([aNode('sub', 'SubWorkflowNode', { workflow_id, version_id })], []);
  assert.equal((await running(sub.id, version.id.toUpperCase())).status, 200);
  for (const [workflow_id, version_id] of [
    [other.id, version.id],
    [sub.id, randomUUID()],
    [sub.id, 'the first'],
  ])
    assert.deepEqual(locs(await running(workflow_id, version_id)), [
      'body.definition.nodes.0.node_config.version_id value_error',
    ]);
  const none = await save(
    [aNode('in', 'InputNode'), aNode('c', 'ClassifyNode', { categories: [] })],
    [anEdge('in.output -> c.input')],
  );
  assert.deepEqual(locs(none), ['body.definition.nodes.1.node_config.categories too_short']);
});

test('sets and removes the error handler of a workflow', async () => {
  const { json: handler } = await call('POST', '/v1/workflows', {});
  const { json: made } = await call('POST', '/v1/workflows', { error_handler: handler.id });
  const patch = async (error_handler: unknown) =>
    (await call('PATCH', `/v1/workflows/${made.id}`, { error_handler })).json.error_handler;
  // Null keeps the stored value, as in every PATCH.
  assert.deepEqual([made.error_handler, await patch(null), await patch('')], [handler.id, handler.id, null]);
});

test('lists versions as a bare array, updates them and runs them', async () => {
  const flow = (text: string) => ({
    nodes: [aNode('t', 'ComposeTextNode', { template: text }), aNode('o', 'OutputNode', { label: 'o' })],
    edges: [anEdge('t.output -> o.input')],
  });
  const { json } = await call('POST', '/v1/workflows', { definition: flow('now') });
  const path = `/v1/workflows/${json.id}`;
  const { json: version } = await call('POST', `${path}/versions`, {
    name: 'old',
    description: null,
    definition: flow('then'),
  });
  const output = async (body: object) => (await call('POST', `${path}/runs/sync?output_only=true`, body)).json.o.text;
  assert.equal(await output({ workflow_version_id: version.id }), 'then');
  assert.equal(await output({}), 'now');
  const changed = await call('PATCH', `${path}/versions/${version.id}`, { name: 'older', definition: flow('before') });
  assert.deepEqual([changed.status, changed.json.name], [200, 'older']);
  assert.equal(await output({ workflow_version_id: version.id }), 'before');
  const { json: all } = await call('GET', `${path}/versions`);
  assert.deepEqual(all, [changed.json]);
  assert.equal(
    (await call('PATCH', `${path}/versions/${version.id}`, { definition: { nodes: [aNode('x', 'NobodyNode')] } }))
      .status,
    422,
  );
});

test('lists workflows by type, hides deleted ones unless asked for them, and restores them', async () => {
  const { key } = await workspace();
  const made = async (type: string) => (await call('POST', '/v1/workflows', { name: type, type }, { key })).json.id;
  const [flow, agent] = [await made('flow'), await made('agent_flow')];
  const listed = async (query: string) =>
    (await call('GET', `/v1/workflows${query}`, undefined, { key })).json.items.map(({ id }: { id: string }) => id);
  assert.deepEqual([await listed('?type=flow'), await listed('?type=agent_flow')], [[flow], [agent]]);
  assert.deepEqual(await listed('?page=1&size=10&page_size=10'), [agent, flow]);
  assert.deepEqual((await call('DELETE', `/v1/workflows/${flow}`, undefined, { key })).json, { success: true });
  assert.deepEqual(await listed(''), [agent]);
  for (const method of ['GET', 'DELETE'])
    assert.equal((await call(method, `/v1/workflows/${flow}`, undefined, { key })).status, 404);
  assert.equal((await call('POST', `/v1/workflows/${flow}/runs`, {}, { key })).status, 404);
  const [gone] = (await call('GET', '/v1/workflows?deleted=True', undefined, { key })).json.items;
  assert.match(gone.deleted_at, /Z$/);
  assert.deepEqual(await listed('?deleted=true&type=flow'), [flow]);
  assert.deepEqual(await listed('?deleted=true&type=agent_flow'), []);
  await call('POST', `/v1/workflows/${flow}/restore`, undefined, { key });
  assert.deepEqual([await listed('?deleted=true'), await listed('')], [[], [agent, flow]]);
  const { json: back } = await call('GET', `/v1/workflows/${flow}`, undefined, { key });
  assert.deepEqual(back, { ...gone, deleted_at: null });
});

const types = [
  'InputNode',
  'OutputNode',
  'ComposeTextNode',
  'ConditionNode',
  'SwitchNode',
  'LoopNode',
  'MergeNode',
  'ErrorHandlerNode',
  'NobodyNode',
  'SubWorkflowNode',
];
const connectors = [
  'output',
  'input',
  'variables',
  'value',
  'values',
  'true',
  'false',
  'item',
  'index',
  'list',
  'result',
  'results',
  'on_error',
  'case_1',
  'error',
  'inputs',
  '',
];
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const small = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('((a))', 'value > 1', 'length(value)', '{{x}}'));
const wildNode = fc.record(
  {
    id: fc.oneof({ weight: 8, arbitrary: id }, { weight: 1, arbitrary: small }),
    type: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...types) }, { weight: 1, arbitrary: small }),
    name: fc.oneof(fc.string({ maxLength: 5 }), small),
    node_config: fc.oneof(
      fc.dictionary(
        fc.constantFrom(
          'template',
          'label',
          'value',
          'fixed_value',
          'expression',
          'cases',
          'mode',
          'max_retries',
          'at_once',
          'type',
          '__proto__',
        ),
        small,
      ),
      small,
    ),
    inputs: fc.oneof(
      fc.array(fc.record({ name: fc.constantFrom(...connectors), fixed_value: small }), { maxLength: 2 }),
      small,
    ),
  },
  { requiredKeys: ['id', 'type'] },
);
const end = fc.record({
  node_id: id,
  connector_name: fc.constantFrom(...connectors),
  key: fc.option(fc.constantFrom('k', 'a')),
});
const wildEdge = fc.oneof(
  { weight: 9, arbitrary: fc.record({ id: fc.option(fc.string({ maxLength: 3 })), from_id: end, to_id: end }) },
  { weight: 1, arbitrary: small },
);
const wild = fc.record({ nodes: fc.array(wildNode, { maxLength: 6 }), edges: fc.array(wildEdge, { maxLength: 10 }) });

/** A value that mends an input, by the first word of its validation error; a missing one is taken for text. */
const fitting: Record<string, unknown> = {
  ...{ missing: 'x', int: 1, float: 1, bool: true, dict: {}, list: [] },
  value: { uri: 'store://01890000-0000-7000-8000-000000000000' },
};

test('stores or refuses any definition, and runs every valid one to its end', async () => {
  await fc.assert(
    fc.asyncProperty(wild, async (definition) => {
      const answer = await call('POST', '/v1/workflows', { definition });
      assert.ok([200, 422].includes(answer.status), `${answer.status} ${answer.text}`);
      if (answer.status === 422) {
        assert.ok(
          answer.json.detail.every(({ loc }: { loc: string[] }) => loc.slice(0, 2).join('.') === 'body.definition'),
        );
        const forced = await call('POST', '/v1/workflows?force=true', { definition });
        assert.ok([200, 422].includes(forced.status), forced.text);
        return;
      }
      const input: Record<string, unknown> = { a: 'x', b: '[1,2]', label: 3 };
      const start = () => call('POST', `/v1/workflows/${answer.json.id}/runs/sync`, { input });
      let run = await start();
      for (let attempt = 0; attempt < 3 && run.status === 422; attempt++) {
        for (const { loc, type } of run.json.detail as { loc: [string, string, string]; type: string }[]) {
          assert.deepEqual(loc.slice(0, 2), ['body', 'input']);
          if (type === 'extra_forbidden') delete input[loc[2]];
          else input[loc[2]] = fitting[type.split('_', 1)[0] as string];
        }
        run = await start();
      }
      assert.equal(run.status, 200, run.text);
      assert.ok(['completed', 'failed'].includes(run.json.status), run.text);
      assert.notEqual(run.json.error?.code, 'internal_error', run.text);
    }),
    { numRuns: 150 },
  );
});
