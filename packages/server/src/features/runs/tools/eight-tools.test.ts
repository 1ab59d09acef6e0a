import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { openaiProvider } from '../../../../test/providers/openai-provider.ts';
import { closing } from '../../../../test/support/scripted-app.ts';
import { adminKey, testConfig } from '../../../../test/support/test-config.ts';
import { makeDatabase } from '../../../../test/support/test-database.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { type App, makeApp } from '../../../app.ts';
import { makeLog } from '../../../lib/log.ts';
import { scriptedMcp } from '../../mcp/testing.ts';
import { aNode, anEdge } from '../../workflows/testing.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-eight-'));
const database = await makeDatabase();
const made = () => closing(openaiProvider());
// The first one is asked by what runs beside: the knowledge base has its documents summarized by the workspace's model.
const [house, boss, expert] = await Promise.all([made(), made(), made()]);
const mcp = await scriptedMcp();

/** The server that the agent's action calls; it records request bodies. */
const posted: string[] = [];
const outside = createServer(async (request, response) => {
  posted.push(await text(request));
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"order":17}');
});
await new Promise<void>((ready) => outside.listen(0, '127.0.0.1', ready));
const outsideUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;

const none = { api_version: null, region: null, access_key_id: null, secret_access_key: null, api_key: 'k' };
const account = (name: string, url: string) => ({
  ...{ ...none, name, provider: 'openai-compatible' as const, base_urls: [url], models: ['one'] },
});
const config = testConfig(dir, {
  roles: ['http', 'worker'],
  web_allow: ['127.0.0.1'],
  providers: [account('house', house.url), account('boss', boss.url), account('expert', expert.url)],
});
const start = () =>
  makeApp(
    config,
    database.connection,
    makeLog('silent', () => {}),
  );
let app: App = await start();
after(async () => {
  await app.close();
  await database.drop();
  outside.close();
  rmSync(dir, { recursive: true, force: true });
});

async function good(method: 'GET' | 'POST', url: string, payload?: object | string, type = 'application/json') {
  const headers = { 'x-api-key': adminKey, ...(payload && { 'content-type': type }) };
  const answer = await app.server.inject({ method, url, headers, ...(payload && { payload }) });
  assert.equal(answer.statusCode, 200, answer.payload);
  return JSON.parse(answer.payload);
}

/** A knowledge base with one letter in it, read and searchable. */
async function letters(): Promise<string> {
  // A summary, written in the background, would take an answer that is meant for the agent.
  const { id } = await good('POST', '/v1/knowledge-bases', { name: 'Letters', settings_: { auto_summary: false } });
  const body =
    '--B\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nThe parcel arrives on Monday.\r\n--B--\r\n';
  await good('POST', `/v1/knowledge-bases/${id}/upload_train`, body, 'multipart/form-data; boundary=B');
  await until('it is read', async () => {
    const { items } = await good('GET', `/v1/knowledge-bases/${id}/documents`);
    return items[0]?.status === 'trained';
  });
  return id;
}

async function people(): Promise<string> {
  const { id } = await good('POST', '/v1/tables', { name: 'People', columns: [{ name: 'full_name' }] });
  await good('POST', `/v1/tables/${id}/rows`, [{ full_name: 'Ada Lovelace' }]);
  return id;
}

async function greeting(): Promise<string> {
  const nodes = [
    aNode('in', 'InputNode', { label: 'Author' }),
    aNode('text', 'ComposeTextNode', { template: 'Hello ((Author))!' }),
    aNode('out', 'OutputNode', { label: 'Greeting' }),
  ];
  const edges = ['in.output -> text.variables[x]', 'text.output -> out.input'].map(anEdge);
  const { id } = await good('POST', '/v1/workflows', { name: 'Greet', type: 'flow', definition: { nodes, edges } });
  return id;
}

test('one conversation uses eight kinds of tools, waits for a person while the server is restarted, and ends', async () => {
  const own = { pii_anonimization: [], max_retries_per_model: 0 };
  const coworker = await good('POST', '/v1/agents', { name: 'Expert', definition: { ...own, model: ['expert/one'] } });
  const definition = {
    ...{ ...own, model: ['boss/one'], base_tools: [{ type: 'todos', enabled: true }] },
    knowledge_bases: [await letters()],
    tables: [await people()],
    actions: [{ name: 'order', url: `${outsideUrl}/orders`, method: 'POST', input_schema: { type: 'object' } }],
    mcp_servers: [{ name: 'far', url: mcp.url }],
    coworkers: [coworker.id],
    skills: [{ name: 'Manners', description: 'How to greet', instructions: 'Bow first.' }],
    workflows: [await greeting()],
  };
  const agent = await good('POST', '/v1/agents', { name: 'Boss', definition });
  const { id } = await good('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'test' });

  const reading = [
    { id: 'base', name: 'todos_add_todo', input: { text: 'Order the parcel' } },
    { id: 'knowledge', name: 'kb_letters_search', input: { query: 'parcel Monday' } },
    { id: 'table', name: 'tables_search', input: { query: 'Ada' } },
    { id: 'server', name: 'mcp_far_echo', input: { say: 'far away' } },
    { id: 'coworker', name: 'coworker_Expert', input: { message: 'How many?' } },
    { id: 'skill', name: 'skills_load', input: { name: 'Manners' } },
    { id: 'workflow', name: 'workflow_greet', input: { Author: 'Ada' } },
  ];
  const order = { id: 'action', name: 'action_order', input: { parcels: 3 } };
  expert.reply({ text: 'Three of them.' });
  boss.reply({ tool_calls: reading }, { tool_calls: [order] });
  const waiting = await good('POST', `/v1/conversations/${id}`, { content: 'Order what is needed' });
  assert.equal(waiting.status, 'awaiting_human_feedback');
  assert.deepEqual(posted, []);

  await app.close();
  app = await start();

  const { items } = await good('GET', `/v1/conversations/${id}/approvals?status=pending`);
  assert.equal(items.length, 1);
  assert.deepEqual([items[0].tool, items[0].reason, items[0].arguments], ['action_order', 'egress', { parcels: 3 }]);
  boss.reply({ text: 'Ordered.' });
  await good('POST', `/v1/conversations/${id}/approvals/${items[0].id}`, { decision: 'approve' });
  const ended = await until('it ends', async () => {
    const conversation = await good('GET', `/v1/conversations/${id}`);
    return conversation.status === 'completed' ? conversation : undefined;
  });

  const told = (boss.last().body.messages as { role: string; tool_call_id: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ tool_call_id, content }) => [tool_call_id, content] as const);
  assert.deepEqual(
    told.map(([call_id]) => call_id),
    [...reading, order].map((call) => call.id),
  );
  const results = new Map(told);
  for (const [call_id, words] of [
    ['base', /Order the parcel/],
    ['knowledge', /arrives on Monday/],
    ['table', /Ada Lovelace/],
    ['server', /called .*far away/],
    ['coworker', /Three of them/],
    ['skill', /Bow first/],
    ['workflow', /Hello Ada!/],
    ['action', /"order":17/],
  ] as const)
    assert.match(results.get(call_id) ?? '', words);
  // Each thing outside was asked once, with what the person was shown.
  assert.deepEqual([posted, mcp.calls().length, expert.requests.length], [['{"parcels":3}'], 1, 1]);
  const reply = ended.messages.at(-1).message_parts;
  assert.equal(reply.find(({ type }: { type: string }) => type === 'text').content, 'Ordered.');
  const calls = reply.filter(({ type }: { type: string }) => type === 'function');
  assert.equal(calls.length, 8);
});
