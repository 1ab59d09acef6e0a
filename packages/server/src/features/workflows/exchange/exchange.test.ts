import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccountKey } from '../../../../test/support/account-key.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { aNode, anEdge } from '../testing.ts';

const app = await testApp();
const { call } = app;
const home = await app.workspace();
const other = await app.workspace();
type By = { key: string };
const ok = async (method: string, path: string, body: unknown, by: By = home) => {
  const { status, json, text } = await call(method, path, body, { key: by.key });
  assert.equal(status, 200, text);
  return json;
};
const keyIn = async (where: { id: string }, ...permissions: string[]): Promise<By> => ({
  key: (await makeAccountKey(app, where.id, permissions)).value,
});
const exported = (id: string, by?: By) => ok('GET', `/v1/workflows/${id}/export`, undefined, by);
const imported = (file: object, by?: By) => ok('POST', '/v1/workflows/import', file, by);

/** A workflow with records, credentials, variables, an error handler and a draft. */
async function aWorkflow() {
  const handler = await ok('POST', '/v1/workflows', { name: 'On failure' });
  const sub = await ok('POST', '/v1/workflows', { name: 'Sub' });
  const version = await ok('POST', `/v1/workflows/${sub.id}/versions`, { name: 'v1' });
  const base = await ok('POST', '/v1/knowledge-bases', { name: 'Manuals' });
  const definition = {
    nodes: [
      aNode('ask', 'HttpRequestNode', {
        url: 'https://api.example.com/?token=zanthoxyl',
        headers: { authorization: 'Bearer zanthoxyl', accept: '{{secret.TOKEN}}' },
        body: '{{city}}',
      }),
      aNode('call', 'SubWorkflowNode', { workflow_id: sub.id, version_id: version.id }),
      aNode('find', 'KnowledgeSearchNode', { kb_id: base.id }),
    ],
    edges: [],
    viewport: { zoom: 2 },
  };
  const made = await ok('POST', '/v1/workflows?force=true', { name: 'Shop', definition, error_handler: handler.id });
  const draft = { nodes: [aNode('call', 'SubWorkflowNode', { workflow_id: sub.id })], edges: [] };
  await ok('PATCH', `/v1/workflows/${made.id}?preview=true`, { definition: draft });
  return { ...made, handler, sub, version, base, sent: definition };
}

test('exports a workflow with names of its records and without credentials', async () => {
  const made = await aWorkflow();
  const file = await exported(made.id);
  assert.ok(!JSON.stringify(file).includes('zanthoxyl'));
  assert.deepEqual(
    [file.format, file.version, file.workflow.name, file.workflow.definition.viewport],
    ['atrium.workflow', 1, 'Shop', { zoom: 2 }],
  );
  assert.equal(file.workflow.definition.nodes[0].node_config.headers.accept, '{{secret.TOKEN}}');
  assert.deepEqual(file.references, [
    { kind: 'workflow', id: made.handler.id, name: 'On failure' },
    { kind: 'workflow', id: made.sub.id, name: 'Sub' },
    { kind: 'knowledge_base', id: made.base.id, name: 'Manuals' },
  ]);
  assert.deepEqual(file.variables.toSorted(), ['TOKEN', 'city']);
  const config = ['workflow', 'definition', 'nodes', '0', 'node_config'];
  assert.deepEqual(file.secrets, [{ path: [...config, 'url'] }, { path: [...config, 'headers', 'authorization'] }]);
});

test('imports a file into the same workspace with the same graph and draft', async () => {
  const nodes = [aNode('in', 'InputNode', { label: 'n' }), aNode('out', 'OutputNode', { label: 'n' })];
  const definition = { nodes, edges: [anEdge('in.output -> out.input')], note: 'kept' };
  const made = await ok('POST', '/v1/workflows', { name: 'Echo', definition, drafts: true });
  await ok('PATCH', `/v1/workflows/${made.id}`, { definition: { note: 'draft' } });
  const { workflow, report } = await imported(await exported(made.id));
  assert.notEqual(workflow.id, made.id);
  assert.deepEqual([workflow.definition, workflow.valid, workflow.drafts], [definition, true, true]);
  assert.deepEqual((await ok('GET', `/v1/workflows/${workflow.id}/draft`, undefined)).definition.note, 'draft');
  assert.deepEqual(report, { mapped: [], missing: [], variables: [], secrets: [], errors: [] });
  const run = await ok('POST', `/v1/workflows/${workflow.id}/runs/sync`, { input: { n: 'x' } });
  assert.equal(run.output.n.text, 'x');
});

test('matches records of another workspace by mapping and by name, and reports what is missing', async () => {
  const made = await aWorkflow();
  const file = await exported(made.id);
  const sub = await ok('POST', '/v1/workflows', { name: 'Sub' }, other);
  const manuals = await ok('POST', '/v1/knowledge-bases', { name: 'Other manuals' }, other);
  const { workflow, report } = await imported({ ...file, mapping: { [made.base.id]: manuals.id } }, other);
  const [ask, called, find] = workflow.definition.nodes;
  assert.deepEqual(called.node_config, { workflow_id: sub.id });
  assert.deepEqual(find.node_config, { kb_id: manuals.id });
  assert.deepEqual(ask.node_config.headers, { accept: '{{secret.TOKEN}}' });
  assert.equal(workflow.error_handler, null);
  assert.deepEqual(report.mapped, [
    { kind: 'workflow', from: made.sub.id, to: sub.id },
    { kind: 'knowledge_base', from: made.base.id, to: manuals.id },
  ]);
  const path = ['workflow', 'definition', 'nodes', '1', 'node_config', 'version_id'];
  assert.deepEqual(report.missing, [
    { kind: 'workflow', id: made.handler.id, name: 'On failure', path: ['workflow', 'error_handler'] },
    { kind: 'workflow_version', id: made.version.id, name: null, path },
  ]);
  assert.deepEqual([report.variables.toSorted(), report.secrets], [['TOKEN', 'city'], file.secrets]);
  const text = JSON.stringify(workflow);
  for (const id of [made.sub.id, made.base.id, made.version.id, made.handler.id]) assert.ok(!text.includes(id));
});

test('stores a graph whose records are missing as invalid and says what to mend', async () => {
  const made = await aWorkflow();
  const empty = await app.workspace();
  const { workflow, report } = await imported(await exported(made.id), empty);
  assert.equal(workflow.valid, false);
  assert.deepEqual(report.errors.map(({ node_id }: { node_id: string }) => node_id).includes('call'), true);
  assert.deepEqual(await refusedWith('POST', `/v1/workflows/${workflow.id}/runs`, {}, empty), [
    409,
    'workflow_invalid',
  ]);
});

async function refusedWith(method: string, path: string, body: unknown, by: By) {
  const { status, json } = await call(method, path, body, { key: by.key });
  return [status, json.code];
}

test('gives no names and no records that the caller may not use', async () => {
  const made = await aWorkflow();
  const editor = await keyIn(home, 'flows_edit', 'flows_run', 'variables_read');
  const file = await exported(made.id, editor);
  const base = file.references.find(({ kind }: { kind: string }) => kind === 'knowledge_base');
  assert.deepEqual([base.id, base.name], [made.base.id, null]);
  await ok('POST', '/v1/knowledge-bases', { name: 'Manuals' }, other);
  const weak = await keyIn(other, 'flows_edit', 'flows_run', 'variables_read');
  const named = await exported(made.id);
  const { report } = await imported(named, weak);
  assert.ok(report.missing.some(({ kind }: { kind: string }) => kind === 'knowledge_base'));
  const strangers = { ...named, mapping: { [made.base.id]: made.base.id } };
  assert.equal((await refusedWith('POST', '/v1/workflows/import', strangers, other))[0], 422);
});

test('refuses callers who could neither read nor create the workflow', async () => {
  const made = await aWorkflow();
  const file = await exported(made.id);
  const reader = await keyIn(home, 'flows_run');
  const at = `/v1/workflows/${made.id}/export`;
  assert.deepEqual(await refusedWith('GET', at, undefined, reader), [403, 'forbidden']);
  assert.deepEqual(await refusedWith('GET', at, undefined, other), [404, 'not_found']);
  assert.deepEqual(await refusedWith('POST', '/v1/workflows/import', file, reader), [403, 'forbidden']);
  const editor = await keyIn(home, 'flows_edit', 'flows_run');
  assert.deepEqual(await refusedWith('POST', '/v1/workflows/import', file, editor), [403, 'variables_forbidden']);
});

test('refuses files that are no workflows, and definitions larger than a save may send', async () => {
  const file = (workflow: object) => ({ format: 'atrium.workflow', version: 1, workflow: { name: 'f', ...workflow } });
  const status = async (body: object) => (await refusedWith('POST', '/v1/workflows/import', body, home))[0];
  assert.equal(await status({ ...file({ definition: {} }), format: 'atrium.agent' }), 422);
  assert.equal(await status(file({ definition: { nodes: 'none' } })), 422);
  assert.equal(await status(file({ definition: { nodes: [], edges: [], note: 'x'.repeat(11 * 1024 ** 2) } })), 422);
});
