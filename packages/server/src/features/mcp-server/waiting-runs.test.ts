import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp();
await app.app.server.listen({ port: 0, host: '127.0.0.1' });
const url = new URL(`http://127.0.0.1:${(app.app.server.server.address() as AddressInfo).port}/mcp`);

interface Next {
  run_id: string;
  waits_for: { type: string; id: string; answer_with: string; needs: string }[];
  afterwards: string;
}
interface Result {
  content: { text: string }[];
  structuredContent: { status: string; run_id: string; conversation_id: string; reply: string; next?: Next };
  isError?: boolean;
}

async function connected(key = app.admin) {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as unknown as Transport);
  return (name: string, args: object) =>
    client.callTool({ name, arguments: args as Record<string, unknown> }) as unknown as Promise<Result>;
}

async function agent(name: string, more: object, ...replies: Parameters<typeof app.provider>) {
  const { name: account } = await app.provider(...replies);
  const definition = { model: [`${account}/one`], pii_anonimization: [], max_retries_per_model: 0, ...more };
  const made = await app.call('POST', '/v1/agents', { name, definition });
  assert.equal(made.status, 200, made.text);
}

/** Sends the request that an answer names, with another body. */
const follow = (said: string, body: object) => {
  const [method, path] = said.split(' ') as [string, string];
  return app.call(method, path, body);
};

test('an agent that waits for an approval answers with its run and how to go on, and the run_id brings the reply', async () => {
  const clock = { tool_calls: [{ id: 'c', name: 'clock_now', input: {} }] };
  await agent('Clock', { tools: [{ type: 'clock', requires_approval: true }] }, clock, { text: 'Noon.' });
  const call = await connected();
  const waiting = await call('ask_Clock', { message: 'What time is it?' });
  assert.equal(waiting.isError, undefined);
  const { run_id, conversation_id, status, next } = waiting.structuredContent;
  assert.equal(status, 'awaiting_human_feedback');
  assert.equal(next?.run_id, run_id);
  assert.deepEqual(
    next?.waits_for.map(({ type, needs }) => [type, needs]),
    [['approval', 'agents_run']],
  );
  const text = waiting.content[0]?.text ?? '';
  for (const part of [run_id, `/v1/conversations/${conversation_id}/approvals/${next?.waits_for[0]?.id}`])
    assert.ok(text.includes(part), text);
  assert.doesNotMatch(text, /clock_now/, 'the settings decide who sees tools');
  // Asked before the decision, it says the same again.
  assert.deepEqual((await call('ask_Clock', { run_id })).structuredContent, waiting.structuredContent);
  const decided = await follow(next?.waits_for[0]?.answer_with ?? '', { decision: 'approve' });
  assert.equal(decided.status, 200, decided.text);
  const reply = await call('ask_Clock', { run_id });
  assert.deepEqual([reply.content[0]?.text, reply.structuredContent.status], ['Noon.', 'completed']);
  assert.equal(reply.structuredContent.next, undefined);
});

test('a run_id of another caller, or with a message, is refused', async () => {
  const clock = { tool_calls: [{ id: 'c', name: 'clock_now', input: {} }] };
  await agent('Other', { tools: [{ type: 'clock', requires_approval: true }] }, clock);
  const { structuredContent } = await (await connected())('ask_Other', { message: 'What time is it?' });
  const { run_id } = structuredContent;
  const { json: me } = await app.call('GET', `/v1/runs/${run_id}`);
  const path = `/v1/admin/groups/${me.group_id}/api-keys`;
  const { json: key, text } = await app.call('POST', path, { name: 'second', permissions: ['agents_run'] });
  const second = await connected(key.value);
  const refused = await second('ask_Other', { run_id });
  assert.deepEqual([refused.isError, refused.content[0]?.text], [true, 'No such run'], text);
  const both = await (await connected())('ask_Other', { run_id, message: 'Well?' });
  assert.match(both.content[0]?.text ?? '', /either a message or a run_id/);
  const neither = await (await connected())('ask_Other', {});
  assert.equal(neither.isError, true);
});

test('an agent that asks a person says how to answer', async () => {
  const ask = { tool_calls: [{ id: 'q', name: 'human_in_the_loop_ask', input: { question: 'May I?' } }] };
  const base_tools = [{ type: 'human_in_the_loop', enabled: true }];
  await agent('Asker', { base_tools }, ask, { text: 'Thanks.' });
  const call = await connected();
  const { run_id, next } = (await call('ask_Asker', { message: 'Ask' })).structuredContent;
  assert.deepEqual(
    next?.waits_for.map(({ type, needs }) => [type, needs]),
    [['question', 'conversations_read']],
  );
  assert.equal((await follow(next?.waits_for[0]?.answer_with ?? '', { content: 'Yes' })).status, 200);
  assert.equal((await call('ask_Asker', { run_id })).content[0]?.text, 'Thanks.');
});

test('a workflow that waits for an approval answers with its run and how to go on', async () => {
  const nodes = [
    aNode('ask', 'ApprovalNode', { question: 'Really?' }),
    aNode('yes', 'OutputNode', { label: 'Answer' }),
  ];
  const definition = { nodes, edges: [anEdge('ask.approved -> yes.input')] };
  const { json, text } = await app.call('POST', '/v1/workflows', { name: 'Careful', type: 'flow', definition });
  assert.ok(json.id, text);
  const waiting = await (await connected())('workflow_careful', {});
  assert.equal(waiting.isError, undefined);
  const { status, next } = waiting.structuredContent;
  assert.equal(status, 'awaiting_human_feedback');
  assert.ok(next && waiting.content[0]?.text.includes(next.run_id));
  assert.equal(next.waits_for[0]?.needs, 'flows_run');
  assert.equal((await follow(next.waits_for[0]?.answer_with ?? '', { decision: 'approve' })).status, 200);
  await until('it is over', async () => (await app.call('GET', `/v1/runs/${next.run_id}`)).json.status === 'completed');
});
