import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openaiCompatible } from '../../providers/openai-compatible.ts';
import type { Post, PostReceiver } from '../../web/driver.ts';
import { sampleModelRequest } from '../conformance-support.ts';
import { makeModel } from '../make-model.ts';

const word = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** A model whose connection is in the hands of the test. */
function modelBy() {
  const connected = Promise.withResolvers<PostReceiver>();
  const done: unknown[] = [];
  const post: Post = (_url, _request, receiver) => {
    setImmediate(() => {
      receiver.head(200, 'OK', {});
      connected.resolve(receiver);
    });
    const abort = (reason: unknown) => {
      done.push('abort');
      receiver.fail(reason);
    };
    return { pause: () => void done.push('pause'), resume: () => void done.push('resume'), abort };
  };
  const address = { provider: openaiCompatible, base_url: 'http://models.example/v1', api_key: null, fetch, post };
  const model = makeModel(address, 'test-model');
  const stop = new AbortController();
  const parts = model.stream(sampleModelRequest(), stop.signal)[Symbol.asyncIterator]();
  return { connected: connected.promise, parts, stop, done };
}

const send = (receiver: PostReceiver, text: string) => receiver.data(Buffer.from(text));

test('a slow reader gets everything that comes meanwhile, and the end', async () => {
  const { connected, parts, done } = modelBy();
  const first = parts.next();
  const receiver = await connected;
  send(receiver, word('a'));
  assert.deepEqual((await first).value, { type: 'text', text: 'a' });
  send(receiver, word('b'));
  send(receiver, word('c') + end);
  receiver.end();
  await sleep(5);
  assert.deepEqual((await parts.next()).value, { type: 'text', text: 'bc' });
  assert.equal((await parts.next()).value.type, 'finish');
  assert.equal((await parts.next()).done, true);
  assert.deepEqual(done, []);
});

test('the deltas of one piece of network are one part', async () => {
  const { connected, parts } = modelBy();
  const first = parts.next();
  const receiver = await connected;
  send(receiver, word('a') + word('b') + word('c'));
  assert.deepEqual((await first).value, { type: 'text', text: 'abc' });
});

test('a connection whose reader falls behind is paused until it has caught up', async () => {
  const { connected, parts, done } = modelBy();
  const first = parts.next();
  const receiver = await connected;
  send(receiver, word('a'));
  await first;
  for (let piece = 0; piece < 20; piece++) send(receiver, word('x'.repeat(64 * 1024)));
  assert.deepEqual(done, ['pause']);
  assert.equal((await parts.next()).value.text.length, 20 * 64 * 1024);
  assert.deepEqual(done, ['pause', 'resume']);
});

test('a stop ends the answer inside a batch, and closes the connection', async () => {
  const { connected, parts, stop, done } = modelBy();
  const first = parts.next();
  send(await connected, `${word('a')}data: {"choices":[{"delta":{"reasoning":"b"}}]}\n\n`);
  await first;
  stop.abort(new Error('stopped by the user'));
  await assert.rejects(parts.next(), /stopped by the user/);
  assert.equal(done[0], 'abort');
});
