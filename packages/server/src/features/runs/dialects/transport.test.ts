import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { sseBody } from '../../../lib/responses/sse.ts';
import { seenBy, unseenFrames } from './select-dialect.ts';
import { contextOf, numbered, oneStep, readMessage, run_id, say } from './testing.ts';
import { makeUiDialect } from './ui-dialect.ts';

const events = numbered(oneStep(say.think('hm'), say.text('Hel'), say.text('lo'), say.text(' there')));

/** Serves the recorded run; the first connection is cut after `cut` frames, when they have arrived. */
function serve(
  cut = Number.POSITIVE_INFINITY,
  arrived: UIMessageChunk[] = [],
): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request);
    const first = asked.length === 1;
    const seen = seenBy(request.headers['last-event-id'] as string | undefined, run_id) ?? { seq: 0, frames: 0 };
    async function* frames() {
      let count = 0;
      for await (const frame of unseenFrames(makeUiDialect(contextOf()), ReadableStream.from(events), seen)) {
        if (first && count++ === cut) {
          while (arrived.length < cut) await sleep(5);
          response.destroy();
          return;
        }
        yield frame;
      }
    }
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    request.resume();
    sseBody(frames(), { gather_ms: 1 }).pipe(response);
  });
  after(() => server.close());
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${port}/chat`, asked });
    }),
  );
}

/** A fetch that remembers the last id it has read, as a page would to go on after a break. */
function rememberingFetch() {
  let last: string | undefined;
  const reading: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    const decoder = new TextDecoder();
    let text = '';
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          text += decoder.decode(bytes, { stream: true });
          for (const [, id] of text.matchAll(/^id: (.*)\n.*\n\n/gm)) last = id;
          controller.enqueue(bytes);
        },
      }),
    );
    return new Response(body ?? null, response);
  };
  return { reading, last: () => last };
}

async function collect(stream: ReadableStream<UIMessageChunk> | null, into: UIMessageChunk[]): Promise<void> {
  assert.ok(stream);
  for await (const chunk of stream) into.push(chunk);
}

const question: UIMessage = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] };
const sending = {
  trigger: 'submit-message' as const,
  chatId: 'c1',
  messageId: undefined,
  messages: [question],
  abortSignal: undefined,
};

test('the chat transport of the AI SDK reads our stream', async () => {
  const { url, asked } = await serve();
  const chunks: UIMessageChunk[] = [];
  await collect(await new DefaultChatTransport({ api: url }).sendMessages(sending), chunks);
  assert.equal(asked[0]?.method, 'POST');
  const { message } = await readMessage(chunks);
  assert.deepEqual(message.parts.at(-1), { type: 'text', text: 'Hello there', state: 'done' });
});

test('the chat transport of the AI SDK goes on where a broken connection left it, at any frame', async () => {
  const whole = events
    .flatMap(makeUiDialect(contextOf()))
    .slice(0, -1)
    .map(({ data }) => JSON.parse(data));
  for (let cut = 1; cut < whole.length; cut++) {
    const chunks: UIMessageChunk[] = [];
    const { url, asked } = await serve(cut, chunks);
    const { reading, last } = rememberingFetch();
    const transport = new DefaultChatTransport({
      api: url,
      fetch: reading,
      resumeStreamIsReplay: false,
      prepareReconnectToStreamRequest: () => ({ headers: { 'last-event-id': last() ?? '' } }),
    });
    await assert.rejects(async () => collect(await transport.sendMessages(sending), chunks));
    assert.equal(chunks.length, cut);
    await collect(await transport.reconnectToStream({ chatId: 'c1' }), chunks);
    assert.equal(asked[1]?.url, '/chat/c1/stream');
    assert.deepEqual(chunks, whole, `cut after ${cut} frames`);
  }
});

test('replays the whole run to an AI SDK chat transport without a resume point', async () => {
  const lost: UIMessageChunk[] = [];
  const { url } = await serve(3, lost);
  const transport = new DefaultChatTransport({ api: url });
  await assert.rejects(async () => collect(await transport.sendMessages(sending), lost));
  const chunks: UIMessageChunk[] = [];
  await collect(await transport.reconnectToStream({ chatId: 'c1' }), chunks);
  assert.deepEqual(chunks[0]?.type, 'start');
  const { message } = await readMessage(chunks);
  assert.deepEqual(message.parts.at(-1), { type: 'text', text: 'Hello there', state: 'done' });
});
