import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';

const app = await scriptedApp({ roles: ['http', 'worker'], web_allow: ['127.0.0.1'] });
const { server, name } = await app.provider();

let posted = 0;
const desk = createServer((_, response) => {
  posted += 1;
  response.end('{}');
});
await new Promise<void>((ready) => desk.listen(0, '127.0.0.1', ready));
after(() => void desk.close());

/** The calls that the model makes before it answers with what it has read. */
let wanted: { name: string; input: object }[] = [];
server.answers = (body) => {
  const read = (body['messages'] as { role: string; content: string }[]).filter(({ role }) => role === 'tool');
  const next = wanted[read.length];
  if (next) return { tool_calls: [{ id: `c${read.length}`, ...next }] };
  return { text: read.map(({ content }) => content).join('\n') || 'Nothing.' };
};

let kb: string;
let table: string;
let group: string;
before(async () => {
  ({ id: kb, group_id: group } = (await app.call('POST', '/v1/knowledge-bases', { name: 'Help' })).json);
  const body =
    '--B\r\ncontent-disposition: form-data; name="files"; filename="refunds.txt"\r\n\r\nRefunds take five days.\r\n--B--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  await app.call('POST', `/v1/knowledge-bases/${kb}/upload_train`, body, { headers });
  await until('it is read', async () => {
    const { json } = await app.call('GET', `/v1/knowledge-bases/${kb}/documents`);
    return json.items[0]?.status === 'trained';
  });
  const columns = [{ name: 'item' }, { name: 'amount', type: 'integer' }];
  table = (await app.call('POST', '/v1/tables', { name: 'Orders', columns })).json.id;
  for (const amount of [40, 2]) await app.call('POST', `/v1/tables/${table}/rows`, { item: 'pencil', amount });
});

/** The result of one case, tried by a caller with this key. */
async function tried(calls: typeof wanted, one: object = {}, { key = app.admin, more = {} } = {}) {
  wanted = calls;
  const definition = {
    ...{ model: [`${name}/one`], pii_anonimization: [], max_retries_per_model: 0 },
    ...{ knowledge_bases: [kb], tables: [{ id: table, access: 'write' }] },
    actions: [{ name: 'post', method: 'POST', url: `http://127.0.0.1:${(desk.address() as AddressInfo).port}/` }],
    ...more,
  };
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Shop', definition });
  const cases = [{ messages: ['How long do refunds take?'], ...one }];
  const { json: set, text } = await app.call('POST', '/v1/evaluations', { name: 'S', agent_id: agent.id, cases });
  assert.ok(set.id, text);
  const started = await app.call('POST', `/v1/evaluations/${set.id}/runs`, {}, { key });
  assert.equal(started.status, 200, started.text);
  const path = `/v1/evaluations/${set.id}/runs/${started.json.id}`;
  const run = await until('it is over', async () => {
    const { json } = await app.call('GET', path);
    return json.status === 'completed' ? json : undefined;
  });
  return run.results[0];
}
const search = { name: 'kb_help_search', input: { query: 'refunds' } };
const rows = { name: 'tables_query', input: { table: 'orders' } };
const sum = { name: 'tables_sql', input: { sql: 'select sum(amount) as total from orders' } };
const live = (tool: string) => ({ name: tool, recorded: false, live: true });

suite('evaluations call tools that only read', () => {
  test('a knowledge base is searched, and its sources count as citations', async () => {
    const one = { expected: 'five days', match: 'contains', citations: ['refunds.txt'] };
    const result = await tried([search], one);
    assert.deepEqual([result.passed, result.scores.citations, result.error], [true, 1, null]);
    assert.deepEqual(result.tool_calls, [live('kb_help_search')]);
  });

  test('tables are read by filters and by SQL', async () => {
    const result = await tried([rows, sum]);
    assert.match(result.answer, /pencil/);
    assert.match(result.answer, /42/);
    assert.deepEqual(result.tool_calls, [live('tables_query'), live('tables_sql')]);
  });

  test('a recording is used before the tool is called', async () => {
    const tools = [{ ...search, output: { results: [], not_searched: ['Recorded'] } }];
    const result = await tried([search, search], { tools });
    assert.match(result.answer, /Recorded/);
    assert.deepEqual(result.tool_calls, [{ name: 'kb_help_search', recorded: true }, live('kb_help_search')]);
  });

  test('no tool with effects is called, whether it writes here or sends out', async () => {
    const insert = { name: 'tables_insert', input: { table: 'orders', rows: [{ item: 'pen' }] } };
    const remove = { name: 'tables_delete', input: { table: 'orders', id: 'x' } };
    const result = await tried([insert, remove, { name: 'action_post', input: {} }]);
    assert.deepEqual(
      result.tool_calls,
      ['tables_insert', 'tables_delete', 'action_post'].map((tool) => ({ name: tool, recorded: false })),
    );
    assert.equal(result.answer.match(/There is no recording of this call/g)?.length, 3);
    assert.equal((await app.call('GET', `/v1/tables/${table}/rows`)).json.items.length, 2);
    assert.equal(posted, 0);
  });

  test('a caller reads no more than its own permissions let it, whatever the agent may', async () => {
    const permissions = ['agents_run', 'insights_read'];
    const path = `/v1/admin/groups/${group}/api-keys`;
    const { json: weak } = await app.call('POST', path, { name: 'weak', permissions });
    const result = await tried([search, rows, sum], {}, { key: weak.value });
    assert.doesNotMatch(result.answer, /five days|pencil|42/);
    assert.match(result.answer, /permission kbs_query/);
    assert.match(result.answer, /permission tables_read/);
    assert.ok(result.tool_calls.every((call: object) => !('live' in call)));
    assert.doesNotMatch(JSON.stringify(server.last().body), /pencil/, 'nor by samples in the descriptions of tools');
  });

  test('a tool that needs approval is not called', async () => {
    const more = { tools: [{ type: 'kb_qa', kb_id: kb, requires_approval: true }] };
    const result = await tried([search], {}, { more });
    assert.match(result.answer, /needs the approval of a person/);
    assert.deepEqual(result.tool_calls, [{ name: 'kb_help_search', recorded: false }]);
  });
});
