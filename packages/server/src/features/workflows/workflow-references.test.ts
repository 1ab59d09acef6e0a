import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { makePeopleIn } from '../people/testing.ts';
import { aNode } from './testing.ts';

const app = await testApp();
const { call } = app;
const { home, aMember } = await makePeopleIn(app);

async function ok(method: string, path: string, body?: object, key?: string) {
  const answer = await call(method, path, body, key === undefined ? {} : { key });
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}
const made = async (path: string, body: object) => (await ok('POST', path, body)).id as string;
interface Warned {
  warnings?: { loc: string[]; msg: string; type: string }[];
}
const warned = ({ warnings = [] }: Warned) => warnings.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort();
const keyWith = async (...permissions: string[]) => (await makeAccountKey(app, home, permissions)).value;

/** A definition that names a record of every kind, and what deletes them. */
async function everyReference() {
  const agent = await made('/v1/agents', { name: 'Helper' });
  const base = await made('/v1/knowledge-bases', { name: 'Handbook' });
  const table = await made('/v1/tables', { name: `T${randomUUID().slice(0, 8)}` });
  const inner = await made('/v1/workflows', { name: 'Inner' });
  const name = `v${randomUUID().slice(0, 8)}`;
  const variable = await made('/v1/variables', { name, inline_value: 'x' });
  const person = await aMember('Reader');
  const definition = {
    nodes: [
      aNode('a', 'AgentCallNode', { agent_id: agent }),
      aNode('k', 'KnowledgeSearchNode', { kb_id: base }),
      aNode('t', 'TableReadNode', { table_id: table }),
      aNode('s', 'SubWorkflowNode', { workflow_id: inner }),
      aNode('v', 'VariableNode', { name }),
      aNode('p', 'ApprovalNode', { question: '?', approvers: [person.id] }),
      aNode('c', 'ToolCallNode', { agent_id: agent, tool: 'clock_now' }),
    ],
    edges: [],
  };
  const paths = [`agents/${agent}`, `knowledge-bases/${base}`, `tables/${table}`, `workflows/${inner}`];
  async function deleteAll() {
    for (const path of paths) await ok('DELETE', `/v1/${path}`);
    await ok('DELETE', `/v1/variables/${variable}?force=true`);
    await ok('PATCH', `/v1/admin/users/${person.id}`, { active: false });
  }
  return { definition, inner, deleteAll };
}
const places = (at: string) =>
  [
    ...['0.node_config.agent_id', '1.node_config.kb_id', '2.node_config.table_id', '3.node_config.workflow_id'],
    ...['5.node_config.approvers.0', '6.node_config.agent_id'],
  ]
    .map((place) => `${at}.nodes.${place} unknown_reference`)
    .concat(`${at}.nodes.4.node_config.name unknown_variable`)
    .sort();

test('keeps what a workflow names when it is deleted, warns of it, and refuses it where it is new', async () => {
  const { definition, inner, deleteAll } = await everyReference();
  const save = { name: 'All', definition, error_handler: inner };
  const workflow = await ok('POST', '/v1/workflows?force=true', save);
  const at = `/v1/workflows/${workflow.id}`;
  const version = await ok('POST', `${at}/versions?force=true`, { name: 'v1' });
  await ok('PATCH', `${at}?preview=true`, { definition: { viewport: { zoom: 2 } } });
  assert.deepEqual([warned(workflow), warned(await ok('GET', at))], [[], []]);
  await deleteAll();

  const shown = await ok('GET', at);
  assert.deepEqual(warned(shown), [...places('definition'), 'error_handler unknown_reference'].sort());
  assert.match(shown.warnings[0].msg, /agent that this names is not in this workspace any more; the step fails/);
  assert.deepEqual(warned(await ok('GET', `${at}/versions/${version.id}`)), places('definition'));
  const draft = await ok('GET', `${at}/draft`);
  assert.deepEqual(warned(draft), places('definition'));
  const words = draft.errors.map(({ msg }: { msg: string }) => msg);
  assert.ok(!words.some((msg: string) => msg.includes('no such')), words.join());
  assert.deepEqual(warned(await ok('GET', at, undefined, await keyWith('flows_run'))), [], 'it may not mend it');

  const nodes = [...definition.nodes, aNode('d', 'DateNode')];
  const unchanged = await ok('PATCH', `${at}?force=true&preview=false`, {
    definition: { nodes },
    error_handler: inner,
  });
  assert.deepEqual(warned(unchanged), [...places('body.definition'), 'body.error_handler unknown_reference'].sort());
  assert.equal(unchanged.definition.nodes.length, 8);
  assert.deepEqual(
    warned(await ok('PATCH', `${at}?preview=true`, { definition: { nodes } })),
    places('body.definition'),
  );
  const patched = await ok('PATCH', `${at}/versions/${version.id}?force=true`, { definition: { nodes } });
  assert.deepEqual(warned(patched), places('body.definition'));
  assert.deepEqual(
    warned(await ok('POST', `${at}/versions?force=true`, { name: 'v2', definition: { nodes } })),
    places('body.definition'),
  );
  const copy = await ok('POST', `${at}/duplicate`, {});
  assert.deepEqual(warned(copy), [...places('definition'), 'error_handler unknown_reference'].sort());
  assert.equal(copy.error_handler, inner);

  const elsewhere = await made('/v1/workflows', { name: 'Other' });
  for (const node of definition.nodes.filter(({ type }) => type !== 'VariableNode')) {
    const added = { definition: { nodes: [node], edges: [] } };
    assert.equal((await call('POST', '/v1/workflows?force=true', { name: 'New', ...added })).status, 422, node.type);
    const there = await call('PATCH', `/v1/workflows/${elsewhere}?force=true`, added);
    assert.equal(there.status, 422, `${node.type} is new in another workflow`);
  }
  assert.equal((await call('PATCH', `/v1/workflows/${elsewhere}`, { error_handler: inner })).status, 422);
});

test('publishes a draft that names a deleted record, with a warning', async () => {
  const agent = await made('/v1/agents', { name: 'Helper' });
  const nodes = [aNode('c', 'ToolCallNode', { agent_id: agent, tool: 'clock_now' })];
  const id = await made('/v1/workflows', { name: 'Drafted', definition: { nodes, edges: [] } });
  await ok('PATCH', `/v1/workflows/${id}?preview=true`, { definition: { viewport: { zoom: 2 } } });
  await ok('DELETE', `/v1/agents/${agent}`);
  const published = await ok('POST', `/v1/workflows/${id}/draft/publish`, {});
  assert.deepEqual(warned(published), ['body.definition.nodes.0.node_config.agent_id unknown_reference']);
  assert.equal(published.definition.viewport.zoom, 2);
});

test('takes no record along that exists and that the caller may not use, when it copies or publishes', async () => {
  const base = await made('/v1/knowledge-bases', { name: 'Secret' });
  const nodes = [aNode('k', 'KnowledgeSearchNode', { kb_id: base })];
  const id = await made('/v1/workflows?force=true', { name: 'Reads', definition: { nodes, edges: [] } });
  await ok('PATCH', `/v1/workflows/${id}?preview=true`, { definition: { viewport: { zoom: 2 } } });
  const key = await keyWith('flows_edit', 'flows_run');
  const statusOf = async (method: string, path: string, body: object) =>
    (await call(method, `/v1/workflows${path}`, body, { key })).status;
  const definition = { nodes, edges: [] };
  assert.equal(await statusOf('POST', '?force=true', { name: 'x', definition }), 422);
  assert.equal(await statusOf('POST', `/${id}/duplicate`, {}), 422);
  assert.equal(await statusOf('POST', `/${id}/draft/publish`, {}), 422);
  const other = await app.workspace();
  assert.equal((await call('GET', `/v1/workflows/${id}`, undefined, { key: other.key })).status, 404);
  const moved = await call('POST', '/v1/workflows?force=true', { name: 'x', definition }, { key: other.key });
  assert.equal(moved.status, 422, 'a record of another workspace');
});

test('warns of models that no provider has, at each step', async () => {
  const model = (id: string) => aNode(id, 'TextGenerationNode', { template: 'x', model: ['nobody/none'] });
  const definition = { nodes: [model('a'), model('b')], edges: [] };
  const found = await ok('POST', '/v1/workflows', { name: 'Models', definition });
  const at = (index: number) => `body.definition.nodes.${index}.node_config.model.0 unknown_model`;
  assert.deepEqual(warned(found), [at(0), at(1)]);
});
