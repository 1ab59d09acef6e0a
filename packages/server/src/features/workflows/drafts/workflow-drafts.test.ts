import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccountKey } from '../../../../test/support/account-key.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { aNode, anEdge } from '../testing.ts';

const app = await testApp({ roles: ['http', 'worker'] });
const { call } = app;
const home = await app.workspace();
const keyWith = async (name: string, ...permissions: string[]) => {
  const { id, value } = await makeAccountKey(app, home.id, permissions, name);
  return { id, key: value };
};
const ada = await keyWith('Ada', 'flows_edit', 'flows_run', 'flows_delete');
const ben = await keyWith('Ben', 'flows_edit', 'flows_run');
const runner = await keyWith('Runner', 'flows_run');
const ok = async (method: string, path: string, body: unknown, by: { key: string } = ada) => {
  const { status, json, text } = await call(method, path, body, { key: by.key });
  assert.equal(status, 200, text);
  return json;
};
const refusal = async (method: string, path: string, body: unknown, by: { key: string } = ada) => {
  const { status, json } = await call(method, path, body, { key: by.key });
  return [status, json.code];
};

/** A workflow that answers with a fixed text. */
const saying = (text: string) => ({
  nodes: [aNode('text', 'ComposeTextNode', { template: text }), aNode('out', 'OutputNode', { label: 'said' })],
  edges: [anEdge('text.output -> out.input')],
});
const broken = { nodes: [aNode('x', 'NobodyNode')], edges: [] };
const make = async (more: object = {}) => {
  const made = await ok('POST', '/v1/workflows', { name: 'Said', definition: saying('old'), ...more });
  return { ...made, at: `/v1/workflows/${made.id}` };
};
const said = async (at: string, body: object = {}, by: { key: string } = ada) =>
  (await ok('POST', `${at}/runs/sync?output_only=true`, body, by)).said.text;

test('a plain save is published at once; one with preview changes the draft alone', async () => {
  const { at, draft, drafts } = await make();
  assert.deepEqual([draft, drafts], [null, false]);
  const plain = await ok('PATCH', at, { definition: saying('plain') });
  assert.deepEqual([plain.definition, plain.draft, await said(at)], [saying('plain'), null, 'plain']);
  const drafted = await ok('PATCH', `${at}?preview=true`, { definition: saying('new'), name: 'Named' }, ben);
  assert.deepEqual([drafted.definition, drafted.name, drafted.draft.by], [saying('plain'), 'Named', ben.id]);
  assert.deepEqual([drafted.draft.by_actor.name, drafted.draft.valid], ['Ben', true]);
  assert.ok(Date.now() - Date.parse(drafted.draft.at) < 60_000);
  assert.notEqual(drafted.etag, plain.etag);
  const read = await ok('GET', `${at}/draft`, undefined);
  assert.deepEqual([read.definition, read.by, read.errors], [saying('new'), ben.id, []]);
  assert.equal(await said(at), 'plain');
  assert.equal(await said(at, { draft: true }), 'new');
});

test('saves of a workflow that has chosen drafts go to the draft unless they say otherwise', async () => {
  const { at } = await make({ drafts: true });
  const { nodes, edges } = saying('new');
  await ok('PATCH', at, { definition: { nodes } });
  assert.deepEqual((await ok('GET', `${at}/draft`, undefined)).definition, { nodes, edges });
  assert.equal(await said(at), 'old');
  await ok('PATCH', `${at}?preview=false`, { definition: saying('live') });
  assert.deepEqual([await said(at), await said(at, { draft: true })], ['live', 'new']);
  assert.equal((await ok('PATCH', at, { drafts: false, definition: saying('again') })).drafts, false);
  assert.equal(await said(at), 'again');
});

test('compares the draft with what is published', async () => {
  const { at } = await make();
  const [text, out] = saying('old').nodes;
  const nodes = [{ ...text, node_config: { template: 'new' } }, aNode('more', 'OutputNode', { label: 'more' })];
  const edges = [anEdge('text.output -> more.input')];
  await ok('PATCH', `${at}?preview=true`, { definition: { nodes, edges, viewport: { zoom: 2 } } });
  assert.deepEqual(await ok('GET', `${at}/draft/diff`, undefined), {
    nodes: [
      { node_id: 'text', change: 'changed', before: text, after: nodes[0], fields: ['node_config'] },
      { node_id: 'more', change: 'added', before: null, after: nodes[1], fields: [] },
      { node_id: 'out', change: 'removed', before: out, after: null, fields: [] },
    ],
    edges: [
      { change: 'added', before: null, after: edges[0] },
      { change: 'removed', before: saying('').edges[0], after: null },
    ],
    keys: [{ key: 'viewport', change: 'added', before: null, after: { zoom: 2 } }],
  });
});

test('publishes the draft with a note, and a version keeps both', async () => {
  const { at } = await make();
  const { etag: old } = await ok('PATCH', `${at}?preview=true`, { definition: saying('first') });
  const { etag } = await ok('PATCH', `${at}?preview=true`, { definition: saying('new') }, ben);
  const late = await call('POST', `${at}/draft/publish`, { etag: old }, { key: ada.key });
  assert.deepEqual([late.status, late.json.code, late.json.etag], [409, 'etag_mismatch', etag]);
  assert.deepEqual([late.json.updated_by, late.json.updated_by_actor.id], [ben.id, ben.id]);
  const published = await ok('POST', `${at}/draft/publish`, { etag, note: 'Says it anew', name: 'v2' });
  assert.deepEqual([published.definition, published.draft, published.updated_by], [saying('new'), null, ada.id]);
  assert.equal(await said(at), 'new');
  const [version] = await ok('GET', `${at}/versions`, undefined);
  assert.deepEqual(
    [version.name, version.description, version.definition, version.created_by],
    ['v2', 'Says it anew', saying('new'), ada.id],
  );
  assert.deepEqual(await refusal('GET', `${at}/draft`, undefined), [404, 'not_found']);
  assert.deepEqual(await refusal('POST', `${at}/draft/publish`, {}), [404, 'not_found']);
});

test('discards the draft and leaves what is published', async () => {
  const { at } = await make();
  await ok('PATCH', `${at}?preview=true`, { definition: saying('new') });
  await ok('DELETE', `${at}/draft`, undefined);
  assert.deepEqual([(await ok('GET', at, undefined)).draft, await said(at)], [null, 'old']);
  for (const [method, path] of [
    ['GET', '/draft'],
    ['GET', '/draft/diff'],
    ['DELETE', '/draft'],
  ] as const)
    assert.deepEqual(await refusal(method, at + path, undefined), [404, 'not_found']);
  assert.deepEqual(await refusal('POST', `${at}/runs`, { draft: true }), [404, 'not_found']);
});

test('a draft may have errors, which forbid to run and to publish it', async () => {
  const { at } = await make();
  assert.equal((await ok('PATCH', `${at}?preview=true`, { definition: broken })).draft.valid, false);
  const { errors, valid } = await ok('GET', `${at}/draft`, undefined);
  assert.deepEqual([valid, errors[0].node_id, errors[0].loc.slice(0, 2)], [false, 'x', ['body', 'definition']]);
  assert.deepEqual(await refusal('POST', `${at}/runs`, { draft: true }), [409, 'workflow_invalid']);
  assert.equal((await refusal('POST', `${at}/draft/publish`, {}))[0], 422);
  assert.equal(await said(at), 'old');
  const unknown = { nodes: [aNode('s', 'SubWorkflowNode', { workflow_id: crypto.randomUUID() })], edges: [] };
  assert.equal((await refusal('PATCH', `${at}?preview=true`, { definition: unknown }))[0], 422);
});

test('a new type of the workflow is checked against the draft too', async () => {
  const { at } = await make({ definition: { nodes: [], edges: [] } });
  const definition = { nodes: [aNode('start', 'AgentStartNode')], edges: [] };
  assert.equal((await ok('PATCH', `${at}?preview=true`, { definition })).draft.valid, false);
  const other = await ok('PATCH', at, { type: 'agent_flow' });
  const { errors } = await ok('GET', `${at}/draft`, undefined);
  assert.deepEqual([other.draft.valid, errors], [true, []]);
});

test('triggers, workflows inside of others and retries run what is published', async () => {
  const inner = await make();
  await ok('PATCH', `${inner.at}?preview=true`, { definition: saying('new') });
  const outer = await make({
    definition: {
      nodes: [
        aNode('sub', 'SubWorkflowNode', { workflow_id: inner.id }),
        aNode('out', 'OutputNode', { label: 'said' }),
      ],
      edges: [anEdge('sub.output -> out.input')],
    },
  });
  assert.match(await said(outer.at), /old/);
  const trigger = await ok('POST', `${inner.at}/triggers`, { definition: { type: 'webhook', auth: 'none' } });
  await ok('POST', `/v1/triggers/${trigger.id}/fire`, {});
  const fired = await until('the trigger has run it', async () => {
    const { items } = await ok('GET', `${inner.at}/runs?status=completed`, undefined);
    return items.find(({ input }: { input: object }) => Object.keys(input).length > 0);
  });
  assert.deepEqual([fired.draft, fired.output['out::output'].text], [false, 'old']);

  const run = await ok('POST', `${inner.at}/runs/sync`, { draft: true });
  assert.deepEqual([run.draft, run.workflow_version_id], [true, null]);
  assert.deepEqual(await refusal('POST', `/v1/runs/${run.id}/retry`, {}, runner), [403, 'forbidden']);
  assert.equal((await ok('POST', `/v1/runs/${run.id}/retry`, {})).draft, true);
  await ok('POST', `${inner.at}/draft/publish`, {});
  assert.equal((await ok('POST', `/v1/runs/${run.id}/retry`, { version: 'current' }, runner)).draft, false);
});

test('refuses drafts to callers without flows_edit, of other workspaces, and beside a version', async () => {
  const other = await app.workspace();
  const { at } = await make();
  const version = await ok('POST', `${at}/versions`, { name: 'v1' });
  await ok('PATCH', `${at}?preview=true`, { definition: saying('new') });
  const all = [
    ['GET', `${at}/draft`],
    ['GET', `${at}/draft/diff`],
    ['POST', `${at}/draft/publish`],
    ['DELETE', `${at}/draft`],
  ] as const;
  for (const [method, path] of all) {
    const body = method === 'POST' ? {} : undefined;
    assert.deepEqual(await refusal(method, path, body, runner), [403, 'forbidden'], path);
    assert.deepEqual(await refusal(method, path, body, other), [404, 'not_found'], path);
  }
  assert.deepEqual(await refusal('POST', `${at}/runs`, { draft: true }, runner), [403, 'forbidden']);
  const both = { draft: true, workflow_version_id: version.id };
  assert.equal((await refusal('POST', `${at}/runs`, both))[0], 422);
  assert.equal((await ok('GET', at, undefined, runner)).draft.by, ada.id);
});

test('who publishes answers for the definition: a draft that reads secrets needs variables_read', async () => {
  const { at } = await make();
  const secret = { nodes: [aNode('v', 'VariableNode', { name: 'token' })], edges: [] };
  assert.deepEqual(await refusal('PATCH', `${at}?preview=true`, { definition: secret }), [403, 'variables_forbidden']);
  await ok('PATCH', `${at}?preview=true`, { definition: secret }, home);
  assert.deepEqual(await refusal('POST', `${at}/draft/publish`, {}), [403, 'variables_forbidden']);
  await ok('POST', `${at}/draft/publish`, {}, home);
});

test('refuses an old If-Match on saves of the draft', async () => {
  const { at, etag } = await make();
  await ok('PATCH', `${at}?preview=true`, { definition: saying('one') });
  const late = await call(
    'PATCH',
    `${at}?preview=true`,
    { definition: saying('two') },
    {
      ...{ key: ben.key, headers: { 'if-match': etag } },
    },
  );
  assert.deepEqual([late.status, late.json.code, late.json.updated_by], [409, 'etag_mismatch', ada.id]);
  assert.deepEqual((await ok('GET', `${at}/draft`, undefined)).definition, saying('one'));
});
