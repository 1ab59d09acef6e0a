import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { aNode, anEdge } from '../testing.ts';

const testing = await scriptedApp({ roles: ['http', 'worker'], web_allow: ['127.0.0.1'] });
const { call, provider, query } = testing;

/** Runs a workflow of one node between an input and an output. */
async function through(
  type: string,
  config: Record<string, unknown>,
  given: { input?: unknown; into: string; from: string; kind?: string },
) {
  const label = 'Value';
  const nodes = [
    aNode('in', given.kind ?? 'InputNode', given.kind ? { label } : { label, type: 'Custom' }),
    aNode('it', type, config),
    aNode('out', 'OutputNode', { label: 'Result' }),
  ];
  const edges = [`in.output -> it.${given.into}`, `it.${given.from} -> out.input`].map(anEdge);
  const made = await call('POST', '/v1/workflows', { name: type, type: 'flow', definition: { nodes, edges } });
  assert.equal(made.status, 200, made.text);
  const ran = await call('POST', `/v1/workflows/${made.json.id}/runs/sync`, { input: { Value: given.input } });
  assert.equal(ran.status, 200, ran.text);
  return ran.json;
}

const resultOf = (run: { output: Record<string, { value: unknown }> | null }) =>
  Object.values(run.output ?? {})[0]?.value;

/** The bytes of a form, and its content type with the boundary. */
async function sending(form: FormData) {
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') as string };
  return { sent: Buffer.from(await request.arrayBuffer()), headers };
}

const table = await call('POST', '/v1/tables', {
  name: 'orders',
  columns: [
    { name: 'city', type: 'text' },
    { name: 'amount', type: 'integer' },
  ],
});
const table_id = table.json.id;

test('writes rows once, and reads them by values that keep their type', async () => {
  const rows = [
    { city: 'Paris', amount: 5 },
    { city: 'Rome', amount: 7 },
  ];
  const written = await through('TableWriteNode', { table_id }, { input: rows, into: 'rows', from: 'result' });
  assert.equal(written.status, 'completed', JSON.stringify(written));
  const { inserted, ids } = resultOf(written) as { inserted: number; ids: string[] };
  assert.equal(inserted, 2);
  const { items } = (await call('GET', `/v1/tables/${table_id}/rows/${ids[0]}/history`)).json;
  assert.deepEqual([items[0].run_id, items[0].changed_by_actor.kind], [written.id, 'service_account_key']);
  const [kept] = await query('select count(*)::int as effects from workflow_effects');
  assert.equal(kept.effects, 1);

  const filters = [{ column: 'amount', op: 'gt', value: '((Least))' }];
  const read = await through(
    'TableReadNode',
    { table_id, filters },
    { input: 6, into: 'variables[Least]', from: 'rows' },
  );
  assert.deepEqual(
    (resultOf(read) as { city: string }[]).map(({ city }) => city),
    ['Rome'],
  );

  const change = { input: { id: ids[0], amount: 50 }, into: 'rows', from: 'result' };
  await through('TableWriteNode', { table_id, operation: 'update' }, change);
  const remove = { input: [{ id: ids[1] }, { id: ids[1] }], into: 'rows', from: 'result' };
  const removed = await through('TableWriteNode', { table_id, operation: 'delete' }, remove);
  assert.deepEqual(resultOf(removed), { deleted: 1 });
  const { json } = await call('GET', `/v1/tables/${table_id}/rows`);
  assert.deepEqual(
    json.items.map(({ city, amount }: { city: string; amount: number }) => [city, amount]),
    [['Paris', 50]],
  );
});

test('fails the step with a message when a row is invalid', async () => {
  const given = { input: [{ town: 'Paris' }], into: 'rows', from: 'result' };
  const run = await through('TableWriteNode', { table_id }, given);
  assert.equal(run.status, 'failed');
  assert.match(JSON.stringify(run.error), /town/);
});

test('finds passages of a knowledge base', async () => {
  // A summary, written in the background, would take an answer that is meant for a step.
  const settings_ = { auto_summary: false };
  const { json: base } = await call('POST', '/v1/knowledge-bases', { name: 'Gardens', settings_ });
  const form = new FormData();
  form.append('files', new Blob(['The greenhouse opens at nine in the morning.'], { type: 'text/plain' }), 'hours.txt');
  const { sent, headers } = await sending(form);
  await call('POST', `/v1/knowledge-bases/${base.id}/upload_train`, sent, { headers });
  for (let look = 0; look < 1200; look++) {
    const { json } = await call('GET', `/v1/knowledge-bases/${base.id}/documents/trained`);
    if (json.total === 1) break;
    await sleep(50);
  }
  const given = { input: 'When does the greenhouse open?', into: 'query', from: 'text' };
  const run = await through('KnowledgeSearchNode', { kb_id: base.id }, given);
  assert.match(String(resultOf(run)), /opens at nine/);
});

test('asks an agent in a new conversation, and fails when the agent fails', async () => {
  const given = { input: 'Why?', into: 'message', from: 'output' };
  const { json: broken } = await call('POST', '/v1/agents', { name: 'Broken', definition: { model: ['gpt-4o'] } });
  const failed = await through('AgentCallNode', { agent_id: broken.id }, given);
  assert.equal(failed.status, 'failed');
  assert.match(JSON.stringify(failed.error), /model_not_configured/);

  const { server, name } = await provider();
  // The knowledge base above may ask it too, for its summary.
  server.answers = () => ({ text: 'Because of the rain.' });
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Helper', definition: { model: [`${name}/one`] } });
  const run = await through('AgentCallNode', { agent_id: agent.id }, given);
  assert.equal(resultOf(run), 'Because of the rain.', JSON.stringify(run));
  const { json } = await call('GET', `/v1/conversations?assistant_id=${agent.id}`);
  assert.deepEqual([json.total, json.items[0].chat_transport], [1, 'workflow']);
});

test('a node does not write a value that is not among the choices of a column', async () => {
  const columns = [{ name: 'state', choices: [{ value: 'new' }] }];
  const { json: tickets } = await call('POST', '/v1/tables', { name: 'tickets', columns });
  const given = { input: [{ state: 'else' }], into: 'rows', from: 'result' };
  const run = await through('TableWriteNode', { table_id: tickets.id }, given);
  assert.equal(run.status, 'failed');
  assert.match(JSON.stringify(run.error), /one of 'new'/);
});

test('a retry asks a failed agent once more, in the same conversation', async () => {
  const { server, name } = await provider({ status: 400, error: 'No' });
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Late', definition: { model: [`${name}/one`] } });
  const failed = await through(
    'AgentCallNode',
    { agent_id: agent.id },
    { input: 'Why?', into: 'message', from: 'output' },
  );
  assert.equal(failed.status, 'failed');
  server.reply({ text: 'Now I know.' });
  const { json: again } = await call('POST', `/v1/runs/${failed.id}/retry`);
  await call('GET', `/v1/runs/${again.id}/events`);
  const { json: over } = await call('GET', `/v1/runs/${again.id}`);
  assert.equal(resultOf(over), 'Now I know.', JSON.stringify(over.error));
  assert.equal((await call('GET', `/v1/conversations?assistant_id=${agent.id}`)).json.total, 1);
});

test('returns the text of a file of the workspace', async () => {
  const form = new FormData();
  form.append('file', new Blob(['# Title\n\nSome words'], { type: 'text/markdown' }), 'note.md');
  const { sent, headers } = await sending(form);
  const { json: file } = await call('POST', '/v1/files', sent, { headers });
  const given = { input: { uri: file.uri }, into: 'file', from: 'output', kind: 'FileInputNode' };
  const run = await through('FileTextNode', {}, given);
  assert.match(String(resultOf(run)), /Some words/);
  const nobodys = { ...given, input: { uri: 'store://0190a000-0000-7000-8000-00000000000a' } };
  assert.equal((await through('FileTextNode', {}, nobodys)).status, 'failed');
  const { json: own } = await call('GET', '/v1/admin/me');
  const body = { name: 'runs only', permissions: ['flows_run'] };
  const { json: key } = await call('POST', `/v1/admin/groups/${own.group_id}/api-keys`, body);
  const blind = await call(
    'POST',
    `/v1/workflows/${run.workflow_id}/runs/sync`,
    { input: { Value: { uri: file.uri } } },
    { key: key.value },
  );
  assert.deepEqual([blind.json.error.code, blind.json.error.node_id], ['forbidden', 'in']);
});

test('runs bash in a sandbox that is removed after the step', async () => {
  const config = { language: 'bash', code: 'cat; echo' };
  const run = await through('CodeExecutionNode', config, { input: [1, 2], into: 'variables[n]', from: 'output' });
  assert.deepEqual(resultOf(run), { n: [1, 2] }, JSON.stringify(run));
  const { json } = await call('GET', '/v1/sandboxes');
  assert.equal(json.total, 0);
});

test('calls a tool of an agent with arguments of the workflow, unless it needs an approval', async () => {
  const definition = { tables: [{ id: table_id, access: 'read' }] };
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Has a table', definition });
  const name = (await call('GET', `/v1/tables/${table_id}`)).json.sql_name ?? 'orders';
  const config = { agent_id: agent.id, tool: 'tables_query', fixed: { table: name } };
  const given = { input: [{ column: 'city', value: 'Paris' }], into: 'arguments[filters]', from: 'output' };
  const run = await through('ToolCallNode', config, given);
  assert.match(JSON.stringify(resultOf(run)), /Paris/, JSON.stringify(run));
  const none = await through('ToolCallNode', { ...config, tool: 'tables_drop' }, given);
  assert.match(JSON.stringify(none.error), /no tool named tables_drop/);
  const tools = [{ type: 'tables', requires_approval: true }];
  await call('PATCH', `/v1/agents/${agent.id}`, { definition: { ...definition, tools } });
  const held = await through('ToolCallNode', config, given);
  assert.match(JSON.stringify(held.error), /needs_approval/);
});

test('treats the message of a workflow to an agent as untrusted: with private data it sends nothing without approval', async () => {
  const { server, name } = await provider();
  const definition = {
    model: [`${name}/one`],
    tables: [{ id: table_id, access: 'read' }],
    actions: [{ name: 'post', method: 'POST', url: 'http://127.0.0.1:9/x', input_schema: { type: 'object' } }],
  };
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Sends', definition });
  const calls = [{ name: 'tables_query', input: { table: 'orders' } }];
  server.reply({ tool_calls: calls }, { tool_calls: [{ name: 'action_post', input: {} }] }, { text: 'Sent' });
  const given = { input: 'Read the orders and send them', into: 'message', from: 'output' };
  const run = await through('AgentCallNode', { agent_id: agent.id }, given);
  assert.equal(run.error?.code, 'awaiting_human', JSON.stringify(run.error));
  const { json } = await call('GET', `/v1/conversations?assistant_id=${agent.id}`);
  const { json: asked } = await call('GET', `/v1/conversations/${json.items[0].id}/approvals`);
  assert.deepEqual([asked.items[0].tool, asked.items[0].reason], ['action_post', 'egress']);
});
