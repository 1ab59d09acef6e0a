import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { type SseOptions, sseAnswer } from './sse.ts';
import type { Frame } from './sse-frame.ts';

/** The stream behind a real socket, sent the way the server sends all answers; `writes` counts what goes out. */
async function serve(frames: () => AsyncIterable<Frame>, options: SseOptions = {}) {
  const app = Fastify();
  let writes = 0;
  app.get('/', (_, reply) => {
    const write = reply.raw.write.bind(reply.raw) as (chunk: unknown) => boolean;
    reply.raw.write = ((chunk: unknown) => {
      writes++;
      return write(chunk);
    }) as typeof reply.raw.write;
    const { status, headers, body } = sseAnswer(frames(), options);
    return reply.code(status).headers(headers).send(body);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return {
    writes: () => writes,
    async open(): Promise<IncomingMessage> {
      const [response] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response');
      return response;
    },
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

const withoutPings = (text: string) => text.replaceAll(': ping\n\n', '');

test('frames are written as an event stream that no proxy holds back', async () => {
  const { open } = await serve(
    async function* () {
      yield { data: '{"a":1}' };
      yield { event: 'message', id: 'r:2', data: '[DONE]' };
    },
    { headers: { 'x-vercel-ai-ui-message-stream': 'v1' } },
  );
  const response = await open();
  assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(response.headers['cache-control'], 'private, no-store, no-transform');
  assert.equal(response.headers['x-accel-buffering'], 'no');
  assert.equal(response.headers['x-vercel-ai-ui-message-stream'], 'v1');
  assert.equal(withoutPings(await textOf(response)), 'data: {"a":1}\n\nevent: message\nid: r:2\ndata: [DONE]\n\n');
});

test('the answer begins at once and a silent stream says that it is alive', async () => {
  const alive = Promise.withResolvers<void>();
  const { open } = await serve(
    async function* () {
      await alive.promise;
      yield { data: 'x' };
    },
    { keep_alive_ms: 50 },
  );
  const started = Date.now();
  // The headers do not wait for the first frame, which comes after four signs of life.
  const response = await open();
  let text = '';
  const pings = () => text.split(': ping\n\n').length - 1;
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (pings() >= 4) alive.resolve();
  }
  assert.ok(pings() <= 2 + (Date.now() - started) / 50, `${pings()} pings`);
  assert.equal(withoutPings(text), 'data: x\n\n');
});

test('a stream that speaks is not interrupted by signs of life', async () => {
  // A machine that stands still makes silences of its own, which are not the stream's.
  let silences = 0;
  const { open } = await serve(
    async function* () {
      for (let n = 0; n < 24; n++) {
        const since = Date.now();
        await sleep(100);
        if (Date.now() - since > 1000) silences++;
        yield { data: `${n}` };
      }
    },
    { keep_alive_ms: 2000 },
  );
  const pings = (await textOf(await open())).split(': ping').length - 1;
  assert.ok(pings >= 1 && pings <= 1 + silences, `${pings} pings, ${silences} silences`);
});

test('200 frames in a row are a few writes', async () => {
  const { open, writes } = await serve(async function* () {
    for (let n = 0; n < 200; n++) {
      yield { data: `${n}` };
      if (n % 20 === 0) await sleep(1);
    }
  });
  const text = withoutPings(await textOf(await open()));
  assert.deepEqual(
    text.match(/\d+/g)?.map(Number),
    Array.from({ length: 200 }, (_, n) => n),
  );
  assert.ok(writes() < 20, `${writes()} writes`);
});

test('a reader that does not read holds a bounded amount, and gets all of it in the end', async () => {
  let pulled = 0;
  const count = 40_000;
  const { open } = await serve(async function* () {
    for (; pulled < count; pulled++) yield { data: 'x'.repeat(1000) };
  });
  const response = await open();
  response.pause();
  // Until the source is not read any further; without backpressure it would be read to its end.
  for (let held = -1; held !== pulled; await sleep(300)) held = pulled;
  assert.ok(pulled < count / 2, `${pulled} frames were taken`);
  const text = await textOf(response);
  assert.equal(withoutPings(text).length, count * 1008);
});

test('a client that leaves ends the source', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const { open } = await serve(async function* () {
    try {
      for (;;) {
        yield { data: 'x' };
        await sleep(10);
      }
    } finally {
      resolve();
    }
  });
  const response = await open();
  await once(response, 'data');
  response.destroy();
  await Promise.race([ended, sleep(60_000, undefined, { ref: false }).then(() => assert.fail('the source goes on'))]);
});

test('a source that fails breaks the connection instead of ending it', async () => {
  const { open } = await serve(async function* () {
    yield { data: 'x' };
    await sleep(30);
    throw new Error('lost');
  });
  const response = await open();
  await assert.rejects(textOf(response), { code: 'ECONNRESET' });
});
