import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createGzip } from 'node:zlib';
import { openaiCompatible } from '../../providers/openai-compatible.ts';
import { loopback, loopbackConnections } from '../../web/testing.ts';
import { sampleModelRequest } from '../conformance-support.ts';
import { makeModel } from '../make-model.ts';

const connections = loopbackConnections();
const piece = 'x'.repeat(64 * 1024);
const call = (index: number) => ({ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } });
const callsFrom = (index: number) => Array.from({ length: 100 }, (_, at) => call(index + at));
const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;
const argument = chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: piece } }] });

interface Endless {
  /** The piece of each number; there is always a next one. */
  pieces(at: number): string;
  status?: number;
  gzip?: boolean;
}

/** Asks a server that never stops answering, and says how it ended and how much the server could send. */
async function askEndless({ pieces, status = 200, gzip = false }: Endless) {
  let sent = 0;
  const closed = Promise.withResolvers<void>();
  const answer = (response: ServerResponse) => {
    response.on('close', () => closed.resolve());
    response.writeHead(status, { 'content-type': 'text/event-stream', ...(gzip && { 'content-encoding': 'gzip' }) });
    const all = (function* () {
      // Ends after four gigabytes, so that a test without a limit fails instead of going on.
      for (let at = 0; sent < 4 * 2 ** 30; at++) {
        const next = Buffer.from(pieces(at));
        sent += next.length;
        yield next;
      }
    })();
    const body = Readable.from(all);
    if (gzip) body.pipe(createGzip()).pipe(response);
    else body.pipe(response);
    response.on('close', () => body.destroy());
  };
  const { url } = await loopback((_, response) => answer(response));
  const model = makeModel({ provider: openaiCompatible, base_url: url, api_key: null, ...connections }, 'test-model');
  const ended = await (async () => {
    for await (const _ of model.stream(sampleModelRequest(), AbortSignal.timeout(60_000)));
  })().catch((error: Error) => error.message);
  await closed.promise;
  return { ended, sent };
}

const tooMuch = 'The provider sent more than is taken as one answer';
const megabytes = (count: number) => count * 1024 * 1024;

test('ends an answer whose line or event never ends, and closes the connection', async () => {
  const line = await askEndless({ pieces: (at) => (at === 0 ? 'data: ' : piece) });
  assert.equal(line.ended, tooMuch);
  assert.ok(line.sent < megabytes(40), `${line.sent}`);
  const event = await askEndless({ pieces: () => `data: ${piece}\n` });
  assert.equal(event.ended, tooMuch);
  assert.ok(event.sent < megabytes(40), `${event.sent}`);
});

test('ends an answer whose arguments of a tool never end, also when they come packed', async () => {
  const plain = await askEndless({ pieces: () => argument });
  assert.equal(plain.ended, tooMuch);
  assert.ok(plain.sent < megabytes(100), `${plain.sent}`);
  assert.equal((await askEndless({ pieces: () => argument, gzip: true })).ended, tooMuch);
});

test('ends an answer that calls tools without an end, soon', async () => {
  const { ended, sent } = await askEndless({ pieces: (at) => chunk({ tool_calls: callsFrom(at * 100) }) });
  assert.equal(ended, 'The provider sent an answer that could not be read');
  assert.ok(sent < megabytes(10), `${sent}`);
});

test('reads no more of a refusal than its first megabyte', async () => {
  const { ended, sent } = await askEndless({ pieces: () => piece, status: 400 });
  assert.equal(ended, 'The provider answered 400: Bad Request');
  assert.ok(sent < megabytes(20), `${sent}`);
});
