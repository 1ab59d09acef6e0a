import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { sseAnswer, sseBody } from './sse.ts';

const frameSize = 1000;
let ended = 0;
/** Frames with their numbers, from the one after the last that the client has. */
async function* numbered(after: number, count: number) {
  try {
    for (let n = after + 1; n <= count; n++) {
      yield { id: String(n), data: 'x'.repeat(frameSize) };
    }
  } finally {
    ended++;
  }
}

const app = Fastify();
app.get('/', (request, reply) => {
  const { count, stall_ms } = request.query as { count: string; stall_ms: string };
  const { body, headers } = sseAnswer(numbered(Number(request.headers['last-event-id'] ?? 0), Number(count)), {
    stall_ms: Number(stall_ms),
  });
  return reply.headers(headers).send(body);
});
await app.listen({ host: '127.0.0.1', port: 0 });
after(() => app.close());
const { port } = app.server.address() as AddressInfo;

async function open(count: number, stall_ms: number, last = 0): Promise<IncomingMessage> {
  const headers = { 'last-event-id': String(last) };
  const [response] = await once(
    get({ port, path: `/?count=${count}&stall_ms=${stall_ms}`, agent: false, headers }),
    'response',
  );
  return response.setEncoding('utf8').on('error', () => {});
}

const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)\ndata: x{1000}\n\n/gm)].map(([, id]) => Number(id));

test('a client that does not read is cut off, and goes on where it was when it comes back', async () => {
  const count = 60_000;
  const before = ended;
  const first = await open(count, 400);
  first.pause();
  for (let look = 0; look < 1200 && ended === before; look++) await sleep(50);
  assert.equal(ended, before + 1, 'the source was told to end');
  let beginning = '';
  await assert.rejects(async () => {
    for await (const chunk of first) beginning += chunk;
  }, /aborted/);
  const seen = idsIn(beginning);
  assert.ok(seen.length > 0 && seen.length < count, `${seen.length} came before the cut`);

  let rest = '';
  for await (const chunk of await open(count, 60_000, seen.at(-1))) rest += chunk;
  assert.deepEqual(
    [...seen, ...idsIn(rest)],
    Array.from({ length: count }, (_, n) => n + 1),
  );
});

const stall_ms = 3000;

/** Waits until a client has as much to read as the server holds for it. */
async function untilFull(body: Readable): Promise<void> {
  for (let turn = 0; body.readableLength < body.readableHighWaterMark; turn++) {
    assert.ok(turn < 10_000, 'it is not written to');
    await new Promise(setImmediate);
  }
}

test('a client that reads now and then is not cut off, and is when it stops reading', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const body = sseBody(numbered(0, 20_000), { stall_ms }).on('error', () => {});
  for (let pause = 0; pause < 6; pause++) {
    await untilFull(body);
    t.mock.timers.tick(stall_ms - 1);
    assert.equal(body.destroyed, false);
    assert.ok(body.read());
  }
  await untilFull(body);
  t.mock.timers.tick(stall_ms);
  assert.match(String(body.errored), /Nobody reads this stream/);
});

test('a client that has read all there is may wait for more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const more = Promise.withResolvers<void>();
  async function* withPause() {
    yield* numbered(0, 17);
    await more.promise;
    yield { data: 'the end' };
  }
  const body = sseBody(withPause(), { stall_ms });
  await untilFull(body);
  assert.ok(body.read());
  t.mock.timers.tick(10 * stall_ms);
  assert.equal(body.destroyed, false);
  more.resolve();
  assert.match(await text(body), /the end/);
});
