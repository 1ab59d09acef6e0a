import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { loadConfig } from '../../config.ts';
import { as, makePeopleIn } from '../../features/people/testing.ts';

const most = 3;
const app = await scriptedApp({ streams_per_caller: most });
await app.app.server.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.app.server.server.address() as AddressInfo;

interface Opened {
  status: number;
  answer: IncomingMessage;
  sent: ClientRequest;
}

/** A GET that is answered and then left open. */
async function open(path: string, headers: Record<string, string>): Promise<Opened> {
  const sent = request({ host: '127.0.0.1', port, path, headers: { accept: 'text/event-stream', ...headers } });
  // Cut off by the test itself.
  sent.on('error', () => {});
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  return { status: answer.statusCode ?? 0, answer, sent };
}

async function bodyOf({ answer }: Opened): Promise<{ code: string; detail: string }> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString());
}

const close = (opened: readonly Opened[]) => {
  for (const { sent } of opened) sent.destroy();
};

/** The server hears a little later that a client has gone. */
async function openWhenFree(path: string, headers: Record<string, string>): Promise<Opened> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const opened = await open(path, headers);
    if (opened.status === 200) return opened;
    opened.answer.resume();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('no place was freed');
}

test('answers 429 too_many_streams to the stream beyond the limit, and takes another once one is closed', async () => {
  const { key } = await app.workspace();
  const headers = { 'x-api-key': key };
  const held = await Promise.all(Array.from({ length: most }, () => open('/v1/events', headers)));
  assert.deepEqual(
    held.map(({ status }) => status),
    held.map(() => 200),
  );
  const refused = await open('/v1/events', headers);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.answer.headers['retry-after']) >= 1);
  const { code, detail } = await bodyOf(refused);
  assert.equal(code, 'too_many_streams');
  assert.match(detail, /3 event streams/);
  const { key: other } = await app.workspace();
  const free = await open('/v1/events', { 'x-api-key': other });
  assert.equal(free.status, 200, 'another key has its own');
  held[0]?.sent.destroy();
  const again = await openWhenFree('/v1/events', headers);
  close([...held, free, again]);
});

test('stores no message when its answer can not be streamed', async () => {
  const { name } = await app.provider();
  const made = await app.call('POST', '/v1/conversations', { name: 'c', settings: { model: [`${name}/one`] } });
  const headers = { 'x-api-key': app.admin };
  const held = await Promise.all(Array.from({ length: most }, () => open('/v1/events', headers)));
  const path = `/v1/conversations/${made.json.id}`;
  const refused = await app.call('POST', `${path}/stream`, { content: 'Hello' });
  assert.deepEqual([refused.status, refused.json.code], [429, 'too_many_streams']);
  assert.equal((await app.query('select 1 from messages where conversation_id = $1', [made.json.id])).length, 0);
  const body = { model: 'x', messages: [{ role: 'user', content: 'Hello' }], stream: true };
  const completion = await app.call('POST', '/v1/chat/completions', body);
  assert.equal(completion.status, 429);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const accept = { accept: 'application/json, text/event-stream' };
  assert.equal((await app.call('POST', '/mcp', ping, { headers: accept })).status, 429);
  assert.equal((await app.call('GET', path)).status, 200, 'answers that are no streams are given');
  close(held);
});

test('holds a key and a person to the stream_limit that an administrator of the organization gives them', async () => {
  const { id, key } = await app.workspace();
  const own = (await app.call('GET', '/v1/admin/me', undefined, { key })).json.id;
  const path = `/v1/admin/groups/${id}/api-keys/${own}`;
  const higher = await app.call('PATCH', path, { stream_limit: most + 1 }, { key });
  assert.deepEqual([higher.status, higher.json.code], [403, 'forbidden'], 'its own limit, above that of the server');
  assert.equal((await app.call('PATCH', path, { stream_limit: most + 1 })).json.stream_limit, most + 1);
  const held = await Promise.all(Array.from({ length: most + 1 }, () => open('/v1/events', { 'x-api-key': key })));
  for (const { status } of held) assert.equal(status, 200);
  assert.equal((await open('/v1/events', { 'x-api-key': key })).status, 429);
  close(held);

  const { aMember } = await makePeopleIn(app);
  const person = await aMember('Editor');
  const about = `/v1/admin/users/${person.id}`;
  assert.equal((await app.call('PATCH', about, { stream_limit: 100 }, as(person.cookie))).status, 403);
  assert.equal((await app.call('PATCH', about, { stream_limit: 1 })).json.stream_limit, 1);
  const first = await open('/v1/events', { cookie: person.cookie });
  assert.equal(first.status, 200);
  assert.equal((await open('/v1/events', { cookie: person.cookie })).status, 429);
  close([first]);
  assert.equal((await app.call('PATCH', about, { stream_limit: 0 })).json.stream_limit, null);
});

test('limits requests to 500 a second and streams to 1,000 for each caller when nothing is set', () => {
  const { requests_per_minute, streams_per_caller } = loadConfig({});
  assert.deepEqual([requests_per_minute, streams_per_caller], [30_000, 1000]);
});
