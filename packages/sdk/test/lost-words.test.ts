import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Atrium } from '@atrium/sdk';

const run = '01a1e687-5b3f-7000-b5d6-ba0918cd5e1b';
const chunk = (id: string, part: object) => `id: ${run}:${id}\ndata: ${JSON.stringify(part)}\n\n`;
const said = (delta: string) => ({ type: 'text-delta', id: 't', delta });
const start = chunk('1', { type: 'start', messageId: 'm' });
const reset = { type: 'data-reset', data: {}, transient: true };

/** What each connection gets: the first is cut off, and the words that it had are lost with its server. */
const connections = [
  [start, chunk('1.1', { type: 'text-start', id: 't' }), chunk('2', said('lost '))],
  [chunk('0', reset), start, chunk('100001', said('kept')), chunk('100002', { type: 'finish', finishReason: 'stop' })],
];
const positions: (string | undefined)[] = [];
const server = createServer((request, response) => {
  const frames = connections[positions.length] ?? [];
  positions.push(request.headers['last-event-id'] as string | undefined);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(frames.join(''));
  if (positions.length === 1) setTimeout(() => response.destroy(), 50);
  else response.end('data: [DONE]\n\n');
});
await once(server.listen(0, '127.0.0.1'), 'listening');
after(() => void server.close());

test('passes a reset and all parts after it on, also those with numbers that were read before', async () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stream = new Atrium({ baseUrl, apiKey: 'k', retryPause: 5 }).conversations.stream('c', { content: 'Hello' });
  const parts: string[] = [];
  for await (const part of stream) parts.push(part.type === 'text-delta' ? part.delta : part.type);
  assert.deepEqual(positions, [undefined, `${run}:2`]);
  assert.deepEqual(parts, ['start', 'text-start', 'lost ', 'data-reset', 'start', 'kept', 'finish']);
  assert.equal(stream.lastEventId, `${run}:100002`);
});
