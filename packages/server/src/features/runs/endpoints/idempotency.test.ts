import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { held, openTestServer, until } from './testing.ts';

const { provider, open, talk, call, post, runsOf, storedOf, query } = await openTestServer();
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

/** The endpoints that start a run, for a conversation with one exchange in it. */
async function conversationWith(endpoint: string) {
  const path = await talk();
  provider.reply({ text: 'A1' });
  const { json } = await post(path, { content: 'Q1' });
  const [question, reply] = json.messages;
  const at: Record<string, string> = {
    whole: path,
    chat: `${path}/chat`,
    edit: `${path}/messages/${question.id}/edit`,
    regenerate: `${path}/messages/${reply.id}/regenerate`,
  };
  return { path, at: at[endpoint] as string };
}
const counted = async (path: string) => [(await storedOf(path)).length, (await runsOf(path)).length];

for (const endpoint of ['whole', 'chat', 'edit', 'regenerate'])
  test(`${endpoint}: repeats the response without a second run when a finished request is sent again`, async () => {
    const { path, at } = await conversationWith(endpoint);
    const key = withKey(randomUUID());
    provider.reply({ text: 'A2' });
    const first = await post(at, { content: 'Q2' }, key);
    assert.equal(first.status, 200, first.text);
    const asked = provider.requests.length;
    const second = await post(at, { content: 'Q2' }, key);
    assert.deepEqual(second, first);
    assert.deepEqual(await counted(path), [4, 2]);
    assert.equal(provider.requests.length, asked);
  });

test('answers 409 when the key is sent again while its request runs, or with a different request', async () => {
  const { path, at } = await conversationWith('chat');
  const key = withKey(randomUUID());
  const reply = held();
  provider.reply(reply);
  const first = post(at, { content: 'Q2' }, key);
  await until('it runs', async () => (await runsOf(path)).length === 2);
  const second = await post(at, { content: 'Q2' }, key);
  assert.deepEqual([second.status, second.json.code], [409, 'idempotency_key_running']);
  const other = await post(at, { content: 'Q3' }, key);
  assert.deepEqual([other.status, other.json.code], [409, 'idempotency_key_reused']);
  reply.release();
  assert.equal((await first).status, 200);
  assert.deepEqual(await counted(path), [4, 2]);
});

test('many requests with one key at the same moment make one message', async () => {
  for (const endpoint of ['whole', 'chat', 'edit', 'regenerate']) {
    const { path, at } = await conversationWith(endpoint);
    const key = withKey(randomUUID());
    provider.reply({ text: 'A2', chunk_delay_ms: 30 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(at, { content: 'Q2' }, key)));
    for (const { status, json } of answers)
      assert.ok(status === 200 || json.code === 'idempotency_key_running', `${endpoint}: ${status} ${json.code}`);
    assert.equal(answers.filter(({ status }) => status === 200).length >= 1, true);
    assert.deepEqual(await counted(path), [4, 2], endpoint);
  }
});

test('a repeated stream is joined to the first, while it runs and after, in any dialect', async () => {
  const path = await talk();
  const sent = { method: 'POST', body: { content: 'Hello' }, ...withKey(randomUUID()) };
  const reply = held();
  provider.reply(reply);
  const first = await open(`${path}/stream?format=ui`, sent);
  await first.heard('w04');
  const second = await open(`${path}/stream?format=ui`, sent);
  await second.heard('w00');
  reply.release();
  const [whole, joined] = await Promise.all([first.whole(), second.whole()]);
  assert.equal(joined, whole);
  assert.equal(await (await open(`${path}/stream?format=ui`, sent)).whole(), whole);
  assert.deepEqual(await counted(path), [2, 1]);
  const other = await call('POST', `${path}/stream?format=ui`, { content: 'Other' }, { headers: sent.headers });
  assert.deepEqual([other.status, other.json.code], [409, 'idempotency_key_reused']);
});

test('streams with one key at the same moment are one run', async () => {
  const path = await talk();
  const sent = { method: 'POST', body: { content: 'Hello' }, ...withKey(randomUUID()) };
  provider.reply({ text: 'One for all.', chunk_delay_ms: 20 });
  const streams = await Promise.all(Array.from({ length: 5 }, () => open(`${path}/stream`, sent)));
  const texts = new Set(await Promise.all(streams.map(({ whole }) => whole())));
  assert.equal(texts.size, 1);
  assert.deepEqual(await counted(path), [2, 1]);
});

test('a key of more than a day ago can be used for something else', async () => {
  const { path, at } = await conversationWith('whole');
  const key = withKey(randomUUID());
  provider.reply({ text: 'A2' }, { text: 'A3' });
  await post(at, { content: 'Q2' }, key);
  await query("update runs set created_at = created_at - interval '24 hours 1 second' where request_key is not null");
  const { status } = await post(at, { content: 'Q3' }, key);
  assert.equal(status, 200);
  assert.deepEqual(await counted(path), [6, 3]);
});

test('leaves the key unused when the request is refused', async () => {
  const { path, at } = await conversationWith('whole');
  const key = withKey(randomUUID());
  assert.equal((await post(at, { content: ' ' }, key)).status, 422);
  await call('POST', `${path}/lock`, { message: 'Closed.' });
  assert.equal((await post(at, { content: 'Q2' }, key)).status, 423);
  await query('update conversations set is_locked = false, lock_message = null where id = $1', [
    path.split('/').at(-1),
  ]);
  provider.reply({ text: 'A2' });
  assert.equal((await post(at, { content: 'Q2' }, key)).status, 200);
  assert.deepEqual(await counted(path), [4, 2]);
});
