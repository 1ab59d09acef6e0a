import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { databaseOf, fill, makeSay, textsOf } from './testing.ts';

const testing = await testApp();
const { call, query } = testing;
const say = makeSay(await databaseOf(testing));

const start = async () => (await call('POST', '/v1/conversations', {})).json;
const numbered = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => `m${from <= to ? from + n : from - n}`);

async function page(id: string, search: string) {
  const { status, json, text } = await call('GET', `/v1/conversations/${id}/messages?${search}`);
  assert.equal(status, 200, text);
  return { texts: textsOf(json.items), next: json.next_cursor as number | null };
}

/** The texts of all pages, in order. */
async function walk(id: string, order: string, size: number, meanwhile = async () => {}): Promise<string[]> {
  const seen: string[] = [];
  let search = `order=${order}&size=${size}`;
  for (;;) {
    const { texts, next } = await page(id, search);
    seen.push(...texts);
    if (next === null) return seen;
    search = `order=${order}&size=${size}&cursor=${next}`;
    await meanwhile();
  }
}

test('a message is answered as its parts and as screens draw it', async () => {
  const conversation = await start();
  const files = [{ id: 'f1', name: 'a.txt', type: 'text/plain', size: 1, status: 'success' }];
  const asked = { role: 'user', type: 'user', content: 'What is in it?', files };
  const used = {
    role: 'function',
    type: 'function',
    content: '42',
    name: 'files_read',
    arguments: { path: 'a' },
    tool_call_id: 'c1',
  };
  const ids = [
    await say(conversation, 'user', asked),
    await say(conversation, 'assistant', used, { role: 'assistant', type: 'text', content: 'It says 42.' }),
  ];
  const { json } = await call('GET', `/v1/conversations/${conversation.id}`);
  assert.deepEqual(
    json.messages.map(({ id }: { id: string }) => id),
    ids,
  );
  assert.deepEqual(json.messages[0].message_parts, [asked]);
  assert.deepEqual(json.messages[1].message_parts[0], used);
  assert.deepEqual(json.ui_messages[0], {
    id: ids[0],
    role: 'user',
    created_at: json.messages[0].created_at,
    parts: [
      { type: 'text', text: 'What is in it?' },
      { type: 'file', url: 'store://f1', mediaType: 'text/plain', filename: 'a.txt' },
    ],
    metadata: null,
  });
  assert.deepEqual(json.ui_messages[1].parts, [
    { type: 'data-chain-of-thought', id: 'chain-1', data: { parts: 1 } },
    {
      type: 'tool-files_read',
      toolCallId: 'c1',
      state: 'output-available',
      input: { path: 'a' },
      output: '42',
      title: 'Files',
      toolMetadata: { icon: 'file-text', message: 'Made a file' },
    },
    { type: 'text', text: 'It says 42.', state: 'done' },
  ]);
});

test('a conversation is answered with its newest 200 messages, oldest first', async () => {
  const conversation = await start();
  await fill(testing, conversation, 450);
  const { json } = await call('GET', `/v1/conversations/${conversation.id}`);
  assert.deepEqual(textsOf(json.messages), numbered(251, 450));
  assert.equal(json.ui_messages.length, 200);
});

test('messages are paged from either end, complete and in order', async () => {
  const conversation = await start();
  await fill(testing, conversation, 103);
  for (const size of [1, 10, 103, 200]) {
    assert.deepEqual(await walk(conversation.id, 'newest', size), numbered(103, 1));
    assert.deepEqual(await walk(conversation.id, 'oldest', size), numbered(1, 103));
  }
  const { texts, next } = await page(conversation.id, '');
  assert.deepEqual([texts, next], [numbered(103, 54), 54]);
});

test('pages have neither gaps nor repeats while messages come in', async () => {
  const conversation = await start();
  await fill(testing, conversation, 60);
  let count = 60;
  const more = async () => {
    const texts = Array.from({ length: 5 }, () => `m${++count}`);
    for (const text of texts) await say(conversation, 'user', text);
  };
  assert.deepEqual(await walk(conversation.id, 'newest', 7, more), numbered(60, 1));
  const stop = count + 40;
  const oldest = await walk(conversation.id, 'oldest', 50, async () => (count < stop ? more() : undefined));
  assert.deepEqual(oldest, numbered(1, count));
});

test('a hundred messages appended at once are numbered without a gap, each once', async () => {
  const conversation = await start();
  await Promise.all(Array.from({ length: 100 }, (_, n) => say(conversation, 'user', `said ${n}`)));
  const seqs = await query('select seq from messages where conversation_id = $1 order by seq', [conversation.id]);
  assert.deepEqual(
    seqs.map(({ seq }) => seq),
    Array.from({ length: 100 }, (_, n) => n + 1),
  );
  const texts = await walk(conversation.id, 'oldest', 33);
  assert.equal(new Set(texts).size, 100);
});

test('appending moves the etag and the place in the list', async () => {
  const conversation = await start();
  await say(conversation, 'user', 'hi');
  const { json } = await call('GET', `/v1/conversations/${conversation.id}`);
  assert.notEqual(json.etag, conversation.etag);
  assert.ok(json.last_updated_at >= conversation.last_updated_at);
});

test('an empty conversation has an empty page', async () => {
  const { id } = await start();
  assert.deepEqual(await page(id, ''), { texts: [], next: null });
});

test('a wrong page of messages is refused where it is wrong', async () => {
  const { id } = await start();
  for (const [search, name] of [
    ['size=0', 'size'],
    ['size=201', 'size'],
    ['cursor=x', 'cursor'],
    ['cursor=-1', 'cursor'],
    ['order=up', 'order'],
    ['cursor=99999999999', 'cursor'],
  ]) {
    const { status, json } = await call('GET', `/v1/conversations/${id}/messages?${search}`);
    assert.deepEqual([status, json.detail[0].loc], [422, ['query', name]]);
  }
});

test('deleting a conversation deletes its messages', async () => {
  const conversation = await start();
  await fill(testing, conversation, 20);
  await call('DELETE', `/v1/conversations/${conversation.id}`);
  assert.deepEqual(await query('select 1 from messages where conversation_id = $1', [conversation.id]), []);
});

test('pages through messages as screens show them when the format is ui', async () => {
  const conversation = await start();
  await say(conversation, 'user', { role: 'user', type: 'user', content: 'Hello' });
  await say(
    conversation,
    'assistant',
    { role: 'assistant', type: 'reasoning', content: 'Hm.', step: 1 },
    { role: 'assistant', type: 'text', content: 'Good day.', step: 1 },
  );
  const { json: whole } = await call('GET', `/v1/conversations/${conversation.id}`);
  const { json: paged } = await call('GET', `/v1/conversations/${conversation.id}/messages?format=ui&order=oldest`);
  assert.deepEqual(paged, { items: whole.ui_messages, next_cursor: null });
  await call('PATCH', `/v1/conversations/${conversation.id}`, { settings: { hide_reasoning: true } });
  const { text } = await call('GET', `/v1/conversations/${conversation.id}/messages?format=ui`);
  assert.doesNotMatch(text, /Hm\./);
});

test('answers a conversation with as many of its newest messages as asked for', async () => {
  const conversation = await start();
  await say(conversation, 'user', { role: 'user', type: 'user', content: 'one' });
  await say(conversation, 'user', { role: 'user', type: 'user', content: 'two' });
  const path = `/v1/conversations/${conversation.id}`;
  assert.deepEqual((await call('GET', `${path}?messages=0`)).json.messages, []);
  assert.deepEqual(textsOf((await call('GET', `${path}?messages=1`)).json.messages), ['two']);
  assert.equal((await call('GET', `${path}?messages=201`)).status, 422);
});
