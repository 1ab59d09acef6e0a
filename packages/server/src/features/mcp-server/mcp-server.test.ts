import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp();
const { server: model, name: account } = await app.provider();
await app.app.server.listen({ port: 0, host: '127.0.0.1' });
const url = new URL(`http://127.0.0.1:${(app.app.server.server.address() as AddressInfo).port}/mcp`);
const made = async (name: string, more: object = {}, key = app.admin) => {
  const definition = { model: [`${account}/one`], pii_anonimization: [], max_retries_per_model: 0 };
  const answer = await app.call('POST', '/v1/agents', { name, definition, ...more }, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.id as string;
};
const agent = await made('Support Désk', { description: 'Knows all about refunds' });
await made('Support Désk');

/** A client of the MCP SDK with a key. */
async function connected(key = app.admin) {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as unknown as Transport);
  return client;
}
type Result = { content: { text: string }[]; structuredContent: Record<string, string | string[]>; isError?: boolean };
const ask = async (client: Client, args: object, options: object = {}) =>
  (await client.callTool(
    { name: 'ask_Support_Desk', arguments: args as Record<string, unknown> },
    undefined,
    options,
  )) as unknown as Result;

test('offers every agent that a key may run as a tool of /mcp, and returns its reply with the conversation', async () => {
  const client = await connected();
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, description }) => [name.replace(/_[0-9a-f]{8}$/, ' again'), description]),
    [
      ['ask_Support_Desk', 'Knows all about refunds'],
      ['ask_Support_Desk again', 'Asks the agent Support Désk'],
    ],
  );
  model.reply({ text: 'Within 30 days.' }, { text: 'Yes, again.' });
  const first = await ask(client, { message: 'When do refunds come?' });
  assert.deepEqual(first.content, [{ type: 'text', text: 'Within 30 days.' }]);
  const { conversation_id, run_id, status } = first.structuredContent;
  assert.equal(status, 'completed');
  const second = await ask(client, { message: 'Really?', conversation_id });
  assert.equal(second.structuredContent['conversation_id'], conversation_id);
  const { json } = await app.call('GET', `/v1/conversations/${conversation_id}`);
  assert.deepEqual(
    [json.messages.length, json.assistant_id, json.chat_transport, json.name],
    [4, agent, 'mcp', 'When do refunds come?'],
  );
  assert.equal((await app.call('GET', `/v1/runs/${run_id}`)).json.status, 'completed');
  await client.close();
});

test('says that a reply is cut at the limit of tokens', async () => {
  const client = await connected();
  model.reply({ text: 'Once upon a', finish: 'length' }, { text: 'The end.' });
  const { content, structuredContent } = await ask(client, { message: 'Tell me' });
  assert.deepEqual([content[0]?.text, structuredContent['finish_reason']], ['Once upon a', 'length']);
  assert.match(structuredContent['warnings']?.[0] ?? '', /^reply_cut: /);
  assert.partialDeepStrictEqual((await ask(client, { message: 'And then?' })).structuredContent, {
    finish_reason: 'stop',
    warnings: [],
  });
  await client.close();
});

test('reports the progress of a run, and stops the run when the client cancels the call', async () => {
  const client = await connected();
  model.reply({ tool_calls: [{ name: 'clock_now', input: {} }] }, { text: 'Noon.' });
  const heard: { progress: number; message?: string | undefined }[] = [];
  await ask(client, { message: 'What time is it?' }, { onprogress: (one: never) => heard.push(one) });
  assert.deepEqual(
    heard.map(({ progress, message }) => [progress, message]),
    [
      [1, 'Step 1'],
      [2, 'Using a tool'],
      [3, 'A tool has answered'],
      [4, 'Step 2'],
    ],
  );

  model.reply({ text: 'Never said', after: new Promise(() => {}) });
  const stop = new AbortController();
  const before = model.requests.length;
  const going = ask(client, { message: 'Think long' }, { signal: stop.signal });
  going.catch(() => {});
  for (let look = 0; model.requests.length === before && look < 6000; look++) await sleep(10);
  stop.abort();
  await assert.rejects(going);
  await model.last().done;
  assert.equal(model.last().closed_early, true);
  for (let look = 0; look < 6000; look++) {
    const { json } = await app.call('GET', '/v1/runs');
    if (json.items[0].status === 'stopped') break;
    await sleep(10);
    assert.ok(look < 5999, 'the run goes on');
  }
  await client.close();
});

/** Collects the events of a stream; `done` resolves at its end, `leave` disconnects. */
function reading(answer: Response) {
  const events: { id: string; data: Record<string, never> | undefined }[] = [];
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const done = (async () => {
    let text = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += piece.value;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [, id = ''] = /^id: (.*)$/m.exec(text.slice(0, end)) ?? [];
        const [, data = ''] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? [];
        if (id) events.push({ id, data: data ? JSON.parse(data) : undefined });
        text = text.slice(end + 2);
      }
    }
  })().catch(() => {});
  return { events, done, leave: () => reader.cancel().catch(() => {}) };
}
const version = { 'mcp-protocol-version': '2025-11-25' };
const streamed = (body: object | undefined, headers: object = {}, key = app.admin) =>
  fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json', ...version },
      ...{ accept: body ? 'application/json, text/event-stream' : 'text/event-stream', ...headers },
    },
    ...(body && { body: JSON.stringify(body) }),
  });
const calling = (name: string, args: object, id: string | number = 7) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: args, _meta: { progressToken: 'p' } },
});
const heardOf = (events: { data: Record<string, never> | undefined }[]) =>
  events.flatMap(({ data }) => (data?.['params'] as { message?: string } | undefined)?.message ?? []);

test('resumes a lost stream after the last event that the client saw, without repeating any', async () => {
  const left = Promise.withResolvers<void>();
  model.reply({ tool_calls: [{ name: 'clock_now', input: {} }] }, { text: 'Noon.', after: left.promise });
  const first = reading(await streamed(calling('ask_Support_Desk', { message: 'What time is it?' }, 'own id')));
  for (let look = 0; first.events.length < 4 && look < 6000; look++) await sleep(10);
  await first.leave();
  const [priming, step, tool] = first.events;
  assert.ok(priming && step && tool && priming.data === undefined);
  assert.equal(new Set(first.events.map(({ id }) => id)).size, first.events.length, 'ids are unique');

  const again = reading(await streamed(undefined, { 'last-event-id': step.id }));
  const whole = reading(await streamed(undefined, { 'last-event-id': priming.id }));
  left.resolve();
  await Promise.all([again.done, whole.done]);
  assert.deepEqual(heardOf(whole.events), ['Step 1', 'Using a tool', 'A tool has answered', 'Step 2']);
  assert.deepEqual(heardOf(again.events), ['Using a tool', 'A tool has answered', 'Step 2']);
  assert.deepEqual(
    again.events.flatMap(({ data }) => (data?.['params'] as { progress?: number } | undefined)?.progress ?? []),
    [2, 3, 4],
  );
  const last = again.events.at(-1) as { id: string; data: Record<string, never> };
  const { id, result } = last.data as unknown as { id: string; result: Result };
  assert.deepEqual([id, result.content[0]?.text, result.structuredContent['status']], ['own id', 'Noon.', 'completed']);

  // Much later, as after a restart, the run alone is enough to resume. No event follows the end.
  const later = reading(await streamed(undefined, { 'last-event-id': tool.id }));
  await later.done;
  assert.deepEqual(
    [heardOf(later.events), later.events.at(-1)?.data?.['result']],
    [['A tool has answered', 'Step 2'], result],
  );
  const over = await streamed(undefined, { 'last-event-id': last.id });
  assert.deepEqual([over.status, await over.text()], [200, '']);

  // The same id is refused with another user's key.
  assert.equal((await streamed(undefined, { 'last-event-id': 'nonsense' })).status, 400);
  const { key: other } = await app.workspace();
  const theirs = reading(await streamed(undefined, { 'last-event-id': step.id }, other));
  const { json: me } = await app.call('GET', '/v1/admin/me');
  const place = `/v1/admin/groups/${me.group_id}/api-keys`;
  const { json: mine } = await app.call('POST', place, { name: 'second' });
  const second = reading(await streamed(undefined, { 'last-event-id': step.id }, mine.value));
  await Promise.all([theirs.done, second.done]);
  for (const { events } of [theirs, second])
    assert.match(JSON.stringify(events.at(-1)?.data), /"error":\{.*This call is not known here/);
});

const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Begins a session as clients do; the header that names it. */
async function beginSession(key = app.admin) {
  const headers = { ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' } };
  const begun = await fetch(url, {
    ...{ method: 'POST', headers: { ...headers, 'x-api-key': key }, body: JSON.stringify(initialize) },
  });
  assert.equal(begun.status, 200);
  return { 'mcp-session-id': begun.headers.get('mcp-session-id') as string };
}

test("answers 404 for a session that has ended, was made up or is another caller's, so that clients begin anew", async () => {
  const own = await beginSession();
  const theirs = await beginSession((await app.workspace()).key);
  const send = (method: 'POST' | 'GET' | 'DELETE', session: object, more: object = {}) =>
    app.app.server.inject({
      ...{ method, url: '/mcp' },
      headers: {
        ...{ 'x-api-key': app.admin, 'content-type': 'application/json', ...session, ...more },
        ...{ accept: 'application/json, text/event-stream' },
      },
      ...(method === 'POST' && { payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
    });
  assert.equal((await send('POST', own)).statusCode, 200);
  assert.equal((await send('POST', {})).statusCode, 200, 'a client without a session');
  for (const lost of [theirs, { 'mcp-session-id': 'made up' }, { 'mcp-session-id': 'x'.repeat(500) }]) {
    const answer = await send('POST', lost);
    assert.deepEqual([answer.statusCode, answer.json().error.code], [404, -32001]);
    assert.equal((await send('GET', lost, { 'last-event-id': 'x' })).statusCode, 404);
    assert.equal((await send('DELETE', lost)).statusCode, 404);
  }
  assert.equal((await send('DELETE', own)).statusCode, 204);
  assert.equal((await send('POST', own)).statusCode, 404);
  assert.equal((await send('DELETE', own)).statusCode, 404);
});

test('cancels a resumed call, and a lost stream stops nothing', async () => {
  const session = await beginSession();
  model.reply({ text: 'Never said', after: new Promise(() => {}) });
  const before = model.requests.length;
  const first = reading(await streamed(calling('ask_Support_Desk', { message: 'Think long' }, 8), session));
  for (let look = 0; (model.requests.length === before || !first.events[0]) && look < 6000; look++) await sleep(10);
  await first.leave();
  const again = reading(await streamed(undefined, { ...session, 'last-event-id': first.events[0]?.id }));
  for (let look = 0; again.events.length < 2 && look < 6000; look++) await sleep(10);
  assert.equal((await app.call('GET', '/v1/runs')).json.items[0].status, 'running');
  await streamed({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 8 } }, session);
  await again.done;
  for (let look = 0; (await app.call('GET', '/v1/runs')).json.items[0].status !== 'stopped'; look++) {
    await sleep(10);
    assert.ok(look < 6000, 'the run goes on');
  }
});

test('sends log messages from the level that the client asked for, in its own session only', async () => {
  const [client, other] = [await connected(), await connected()];
  const heard: unknown[] = [];
  for (const one of [client, other])
    one.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
  await client.setLoggingLevel('info');
  model.reply({ text: 'One' }, { text: 'Two' }, { text: 'Three' });
  await ask(client, { message: 'Say one' });
  await ask(other, { message: 'Say two' });
  await client.setLoggingLevel('error');
  await ask(client, { message: 'Say three' });
  assert.deepEqual(heard, [{ level: 'info', logger: 'ask_Support_Desk', data: 'Step 1' }]);
  await Promise.all([client.close(), other.close()]);
});

test('returns files that an agent makes with its result', async () => {
  const client = await connected();
  const definition = {
    ...{ model: [`${account}/one`], pii_anonimization: [] },
    base_tools: [{ type: 'files', enabled: true }],
  };
  await made('Writer', { definition });
  const call = { name: 'files_make_document', input: { format: 'text', filename: 'a.txt', content: 'Hello' } };
  model.reply({ tool_calls: [call] }, { text: 'Here it is.' });
  const { content, structuredContent } = (await client.callTool({
    ...{ name: 'ask_Writer', arguments: { message: 'Write' } },
  })) as unknown as { content: Record<string, never>[]; structuredContent: { files: { id: string; name: string }[] } };
  const [file] = structuredContent.files;
  assert.ok(file, JSON.stringify(content));
  assert.deepEqual(content, [
    { type: 'text', text: 'Here it is.' },
    { type: 'resource', resource: { uri: `atrium://files/${file.id}`, mimeType: 'text/plain', text: 'Hello' } },
  ]);
  await client.close();
});

test('returns a failure as an error of the tool', async () => {
  const client = await connected();
  model.reply({ status: 500 });
  const failed = await ask(client, { message: 'Hello' });
  assert.deepEqual([failed.isError, /No model answered/.test(failed.content[0]?.text ?? '')], [true, true]);
  const odd = await ask(client, { message: 5 });
  assert.deepEqual([odd.isError, /message/.test(odd.content[0]?.text ?? '')], [true, true]);
  const id = '0198c000-0000-7000-8000-000000000000';
  assert.deepEqual((await ask(client, { message: 'x', conversation_id: id })).content[0]?.text, 'No such conversation');
  await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), /There is no tool named nothing/);
  await client.close();
});

test('shows a key the agents of its own workspace that it may run', async () => {
  const other = await app.workspace();
  await made('Theirs', {}, other.key);
  const theirs = await connected(other.key);
  assert.deepEqual(
    (await theirs.listTools()).tools.map(({ name }) => name),
    ['ask_Theirs'],
  );
  await assert.rejects(ask(theirs, { message: 'x' }), /no tool named ask_Support_Desk/);
  const reader = await app.workspace(['files_read']);
  await made('Hidden', {}, app.admin);
  const none = await connected(reader.key);
  assert.deepEqual((await none.listTools()).tools, []);
  await Promise.all([theirs.close(), none.close()]);
});

test('refuses requests without a valid key and requests from pages of other sites', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const payload = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const post = (more: object) =>
    app.app.server.inject({ method: 'POST', url: '/mcp', headers: { ...headers, ...more }, payload });
  const refused = await post({});
  assert.deepEqual([refused.statusCode, refused.headers['www-authenticate']], [401, 'Bearer realm="atrium"']);
  assert.equal((await app.app.server.inject({ method: 'GET', url: '/mcp' })).statusCode, 401);
  const key = { 'x-api-key': app.admin };
  assert.deepEqual((await post(key)).json(), { jsonrpc: '2.0', id: 1, result: {} });
  for (const [origin, status] of [
    ['https://evil.example.com', 403],
    ['http://localhost.evil.example.com', 403],
    ['null', 403],
    ['http://localhost:3000', 200],
    ['http://127.0.0.1', 200],
  ] as const)
    assert.equal((await post({ ...key, origin })).statusCode, status, origin);
  assert.equal((await app.call('GET', '/mcp')).status, 405);
  const broken = await app.call('POST', '/mcp', '{"jsonrpc": ', { headers });
  assert.deepEqual([broken.status, broken.json.error.code], [400, -32700]);
});

test('offers every workflow that a key may run as a tool of /mcp, with its inputs, outputs and progress', async () => {
  const nodes = [
    aNode('in', 'InputNode', { label: 'Name' }),
    aNode('wait', 'DelayNode', { seconds: 1.5 }),
    aNode('say', 'ComposeTextNode', { template: 'Hello ((who))' }),
    aNode('out', 'OutputNode', { label: 'Greeting' }),
  ];
  const edges = ['in.output -> wait.value', 'wait.output -> say.variables[who]', 'say.output -> out.input'].map(anEdge);
  await app.call('POST', '/v1/workflows', { name: 'Greet people', type: 'flow', definition: { nodes, edges } });
  const client = await connected();
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'workflow_greet_people');
  assert.deepEqual(Object.keys(tool?.inputSchema.properties ?? {}), ['Name']);
  const seen: string[] = [];
  const onprogress = ({ message }: { message?: string | undefined }) => void seen.push(message ?? '');
  const call = { name: 'workflow_greet_people', arguments: { Name: 'Ada' } };
  const { structuredContent } = (await client.callTool(call, undefined, { onprogress })) as unknown as Result;
  assert.deepEqual(structuredContent, { status: 'completed', output: { Greeting: 'Hello Ada' } });
  assert.ok(
    seen.some((message) => /^\d+ %$/.test(message)),
    JSON.stringify(seen),
  );
  const { content, isError } = (await client.callTool({ ...call, arguments: {} })) as unknown as Result;
  assert.ok(isError);
  assert.match(content[0]?.text ?? '', /Name/);
  await client.close();
});
