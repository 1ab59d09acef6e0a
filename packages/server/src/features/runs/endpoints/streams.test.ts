import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readChunks, readMessage } from '../dialects/testing.ts';
import { framesIn, held, openTestServer } from './testing.ts';

const { provider, stream, open, talk, call, runsOf } = await openTestServer();
const dialects = [undefined, 'ui', 'vercel', 'json'] as const;
const named = (format: string | undefined) => format ?? 'without a format';

/** The frames that end a stream. */
const ends: Record<string, string> = {
  'without a format': 'data: {"role":"assistant","type":"conversation_end"}\n\nevent: done\ndata: {}\n\n',
  vercel: 'data: [DONE]\n\n',
  json: 'event: done\ndata: {}\n\n',
};

for (const format of dialects) {
  test(`a stream ${named(format)} has the headers and the end that its clients know`, async () => {
    const path = await talk();
    provider.reply({ text: 'Good day.' });
    const answer = await stream(path, 'Hello', format);
    assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'private, no-store, no-transform');
    assert.equal(
      answer.headers.get('x-vercel-ai-ui-message-stream'),
      format === 'ui' || format === 'vercel' ? 'v1' : null,
    );
    const text = await answer.whole();
    const [run] = await runsOf(path);
    const last = `id: ${run.id}:${run.last_seq}\ndata: [DONE]\n\n`;
    assert.ok(text.endsWith(ends[named(format)] ?? last), text.slice(-200));
    assert.equal(/^id: /m.test(text), format === 'ui', 'only `ui` has ids');
    assert.equal(/^retry:/m.test(text), false);
  });

  test(`nothing to tell ${named(format)} is the end at once`, async () => {
    const path = await talk();
    const answer = await open(`${path}/events${format ? `?format=${format}` : ''}`);
    assert.equal(await answer.whole(), ends[named(format)] ?? 'data: [DONE]\n\n');
  });
}

test('frames without a format are JSON with a role and a type, whose contents are the reply', async () => {
  const path = await talk();
  provider.reply({ text: 'Good day to you.', reasoning: 'be kind' });
  const frames = framesIn(await (await stream(path)).whole());
  const told = frames.slice(0, -1).map(({ data }) => JSON.parse(data));
  for (const { role, type, content } of told) {
    assert.equal(role, 'assistant');
    assert.equal(typeof type, 'string');
    assert.ok(content === undefined || typeof content === 'string');
  }
  assert.equal(told.map(({ content }) => content ?? '').join(''), 'Good day to you.');
  assert.deepEqual(told.at(-1), { role: 'assistant', type: 'conversation_end' });
});

test('frames of format=json are envelopes with the number of their event', async () => {
  const path = await talk();
  provider.reply({ text: 'Good day to you.' });
  const frames = framesIn(await (await stream(path, 'Hello', 'json')).whole());
  assert.deepEqual(frames.at(-1), { event: 'done', data: '{}' });
  const told = frames.slice(0, -1).map(({ event, data }) => ({ name: event, ...JSON.parse(data) }));
  let seq = 0;
  for (const envelope of told) {
    assert.deepEqual(Object.keys(envelope), ['name', 'event', 'data', 'seq']);
    assert.equal(envelope.name, 'message');
    assert.ok(envelope.seq >= seq);
    seq = envelope.seq;
  }
  const deltas = told.filter(({ event }) => event === 'text-delta').map(({ data }) => data.delta);
  assert.equal(deltas.join(''), 'Good day to you.');
});

test('the AI SDK reads both of its formats, and what it has is what is stored', async () => {
  for (const format of ['ui', 'vercel']) {
    const path = await talk();
    provider.reply({ tool_calls: [{ name: 'clock_now', input: {} }] }, { text: 'It is late.', reasoning: 'hm' });
    const { message, errors } = await readMessage(await readChunks(await (await stream(path, 'Hi', format)).whole()));
    assert.deepEqual(errors, []);
    const { json } = await call('GET', path);
    const { id, parts } = json.ui_messages.at(-1);
    assert.equal(message.id, id);
    assert.deepEqual(
      message.parts.map(({ type }) => type),
      parts.map(({ type }: { type: string }) => type),
    );
  }
});

test('every dialect reports a failed and a stopped run', async () => {
  for (const format of dialects) {
    const path = await talk({ max_retries_per_model: 0, hide_error_banners: true });
    provider.reply({ status: 400, error: 'Refused' });
    const failed = await (await stream(path, 'Hello', format)).whole();
    assert.match(failed, /No model answered/);
    provider.reply(held());
    const stopped = await stream(path, 'Hello', format);
    await stopped.heard('w01');
    await call('POST', `${path}/stop`);
    const text = await stopped.whole();
    assert.match(text, /"abort"/);
    for (const whole of [failed, text])
      if (format !== 'ui') assert.ok(whole.endsWith(ends[named(format)] as string), named(format));
  }
});

test('a stream begins at once, and says at least every 15 seconds that it is alive', async (t) => {
  const path = await talk();
  const asked = Promise.withResolvers<void>();
  provider.reply({ text: 'At last.', deltas: 1, after: asked.promise });
  t.mock.timers.enable({ apis: ['setInterval'] });
  const answer = await stream(path, 'Hello', 'ui');
  await answer.heard(': ping\n\n');
  assert.doesNotMatch(answer.soFar(), /At last/, 'the headers do not wait for the model');
  await answer.heard('"start"');
  t.mock.timers.tick(14_900);
  await sleep(50);
  assert.equal(answer.soFar().split(': ping\n\n').length, 2);
  t.mock.timers.tick(100);
  await answer.heard('}\n\n: ping\n\n');
  asked.resolve();
  assert.match(await answer.whole(), /At last/);
});
