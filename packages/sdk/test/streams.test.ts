import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Atrium, AtriumError, type StreamPart, type StreamState } from '@atrium/sdk';
import { held, openTestServer } from '../../server/src/features/runs/endpoints/testing.ts';
import { openCuttingProxy } from './cutting-proxy.ts';

const server = await openTestServer({ roles: ['http', 'worker'] });
const { provider, place, address } = server;
const proxy = await openCuttingProxy(address);
const options = { apiKey: place.key, retryPause: 5 };
const client = new Atrium({ ...options, baseUrl: address });
const shaky = new Atrium({ ...options, baseUrl: proxy.address });

const talk = async () => (await client.conversations.create({ name: 'test', settings: { model: ['blind'] } })).id;
const words = Array.from({ length: 60 }, (_, n) => `word${n} `);
const textOf = (parts: readonly StreamPart[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

test('streams an answer as typed parts, from joining to done', async () => {
  provider.reply({ text: 'Good day to you.', deltas: 4 });
  const states: StreamState[] = [];
  const stream = client.conversations.stream(await talk(), { content: 'Hello' }, { onState: (s) => states.push(s) });
  assert.equal(stream.state, 'idle');
  const parts = await collect(stream);
  assert.equal(textOf(parts), 'Good day to you.');
  assert.deepEqual([parts[0]?.type, parts.at(-1)?.type], ['start', 'finish']);
  assert.deepEqual(states, ['joining', 'live', 'done']);
  assert.match(stream.lastEventId ?? '', /^[\da-f-]{36}:\d+$/);
});

test('no word is lost or doubled when the connection is cut again and again in the middle of an answer', async () => {
  const id = await talk();
  provider.reply({ text: words.join(''), deltas: words.length, chunk_delay_ms: 3 });
  const states: StreamState[] = [];
  // Each connection ends after another number of bytes, at any place of a frame.
  let size = 300;
  proxy.cutAfter(() => (size += 171));
  const before = proxy.cuts();
  const stream = shaky.conversations.stream(
    id,
    { content: 'Hello' },
    { onState: (s) => states.push(s), maxRetries: 50 },
  );
  const parts = await collect(stream);
  proxy.cutAfter(undefined);
  assert.ok(proxy.cuts() - before >= 5, `${proxy.cuts() - before} cuts`);
  assert.equal(textOf(parts), words.join(''));
  assert.deepEqual(parts, await collect(client.conversations.events(id, { lastEventId: 'from:0' })));
  assert.ok(states.includes('lost') && states.at(-1) === 'done');
  const { total } = await client.runs.list({ conversation_id: id });
  assert.equal(total, 1, 'the message was sent once');
});

test('joins an answer that is being given and goes on after the last part that was seen', async () => {
  const id = await talk();
  const reply = held();
  provider.reply(reply);
  const first = client.conversations.stream(id, { content: 'Hello' });
  const seen: StreamPart[] = [];
  for await (const part of first) {
    seen.push(part);
    if (part.type === 'text-delta' && part.delta.includes('w03')) break;
  }
  const next = client.conversations.events(id, { lastEventId: first.lastEventId });
  const rest = collect(next);
  const whole = collect(client.conversations.events(id));
  reply.release();
  assert.equal(textOf([...seen, ...(await rest)]), reply.text);
  assert.equal(textOf(await whole), reply.text);
  assert.deepEqual(await collect(client.conversations.events(id)), [], 'nothing is being answered');
});

test('ends without an error when it is aborted, and the run goes on', async () => {
  const id = await talk();
  const reply = held();
  provider.reply(reply);
  const control = new AbortController();
  const stream = client.conversations.stream(id, { content: 'Hello' }, { signal: control.signal });
  const seen: StreamPart[] = [];
  for await (const part of stream) {
    seen.push(part);
    if (part.type === 'text-delta') control.abort();
  }
  assert.equal(stream.state, 'idle');
  reply.release();
  const rest = await collect(client.conversations.events(id, { lastEventId: stream.lastEventId }));
  assert.equal(textOf([...seen, ...rest]), reply.text);
});

test('says that it waits when a person is to agree, and goes on with the decision', async () => {
  const { id } = await client.conversations.create({
    name: 'test',
    settings: { model: ['blind'], tools: [{ type: 'clock', requires_approval: true }] },
  });
  provider.reply({ tool_calls: [{ name: 'clock_now', input: {} }] }, { text: 'Fine, not then.', deltas: 2 });
  const stream = client.conversations.stream(id, { content: 'Look it up' });
  const asked = (await collect(stream)).find((part) => part.type === 'tool-approval-request');
  assert.ok(asked?.type === 'tool-approval-request' && stream.state === 'waiting');
  await client.approvals.decide(id, asked.approvalId, { decision: 'reject' });
  const rest = client.conversations.events(id, { lastEventId: stream.lastEventId });
  assert.equal(textOf(await collect(rest)), 'Fine, not then.');
  assert.equal(rest.state, 'done');
});

test('streams an edit and another answer', async () => {
  const id = await talk();
  provider.reply({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' });
  await collect(client.conversations.stream(id, { content: 'Hello' }));
  const { messages } = await client.conversations.get(id);
  const question = messages[0]?.id as string;
  assert.equal(textOf(await collect(client.conversations.streamEdit(id, question, { content: 'Hi' }))), 'Two.');
  const edited = (await client.conversations.get(id)).messages[0]?.id as string;
  assert.equal(textOf(await collect(client.conversations.streamRegenerate(id, edited))), 'Three.');
});

test('follows the events of a run through cut connections', async () => {
  const id = await talk();
  provider.reply({ text: words.join(''), deltas: words.length });
  await collect(client.conversations.stream(id, { content: 'Hello' }));
  const run = (await client.runs.list({ conversation_id: id })).items[0]?.id as string;
  const whole = await collect(client.runs.events(run));
  let size = 300;
  proxy.cutAfter(() => (size += 371));
  const pieces = await collect(shaky.runs.events(run, { maxRetries: 50 }));
  const parts = await collect(shaky.runs.stream(run, { maxRetries: 50 }));
  proxy.cutAfter(undefined);
  assert.deepEqual(pieces, whole);
  assert.equal(textOf(parts), words.join(''));
  assert.deepEqual(await collect(client.runs.events(run, { lastEventId: String(whole.at(-1)?.seq) })), []);
});

test('throws the typed error of a stream that is refused', async () => {
  const stream = client.conversations.stream('018f2f6e-0000-7000-8000-000000000000', { content: 'Hello' });
  await assert.rejects(collect(stream), (error) => error instanceof AtriumError && error.status === 404);
  assert.equal(stream.state, 'lost');
});

test('gives up after the number of attempts that it may make', async () => {
  const dead = new Atrium({ ...options, baseUrl: 'http://127.0.0.1:1' });
  const states: StreamState[] = [];
  const stream = dead.conversations.events('x', { maxRetries: 2, onState: (s) => states.push(s) });
  await assert.rejects(collect(stream), (error) => error instanceof AtriumError && error.code === 'network');
  assert.deepEqual(states, ['joining', 'lost', 'joining', 'lost', 'joining', 'lost']);
});

test('events of the workspace go on after a cut without a gap or a repeat', async () => {
  const control = new AbortController();
  const stream = shaky.events({ types: ['agent.created'], signal: control.signal });
  const names: string[] = [];
  const ids: (string | null)[] = [];
  const made: string[] = [];
  const make = async () => made.push((await client.agents.create({ name: 'Agent', definition: {} })).id);
  for await (const event of stream) {
    names.push(event.event);
    if (event.event === 'ready') await make();
    else ids.push(event.target_id);
    if (event.event === 'agent.created' && made.length < 4) {
      if (made.length === 2) proxy.cutAll();
      await make();
    }
    if (ids.length === 4) control.abort();
  }
  assert.deepEqual(ids, made, names.join());
  assert.ok(!names.includes('reset'));
  assert.equal(stream.state, 'idle');
});
