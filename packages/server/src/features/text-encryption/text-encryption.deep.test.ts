import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askNode, callNode, makeTextSetup } from './testing.ts';

const setup = await makeTextSetup();
const { query, columnsWith, convert } = setup;
const plain = await setup.node({ encrypt_at_rest: false });
const encrypting = await setup.node({ encrypt_at_rest: true });
const both = [plain, encrypting];

const covered = [
  ...['conversations.name', 'conversations.summary', 'conversations.todos', 'feedback.comment'],
  ...[
    'human_requests.arguments',
    'human_requests.note',
    'messages.parts',
    'messages.words',
    'run_events.data',
    'runs.input',
  ],
];

test('stores text that looks like a sealed one, and answers it as it is', async () => {
  const name = 'atrium-sealed:1:a:b:c:d';
  for (const node of both) {
    const { id } = await askNode(node, 'POST', '/v1/conversations', { name });
    for (const encrypt of [true, false]) {
      await convert(encrypt);
      for (const reader of both)
        assert.equal((await askNode(reader, 'GET', `/v1/conversations/${id}`)).name, name, `${encrypt}`);
    }
  }
});

test('stores the longest name encrypted, although names are in an index', async () => {
  // Letters of four bytes that compress badly.
  const letters = Array.from({ length: 500 }, (_, at) => String.fromCodePoint(0x20000 + ((at * 7919) % 40_000)));
  const { id } = await askNode(encrypting, 'POST', '/v1/conversations', { name: letters.join('') });
  for (const reader of both)
    assert.equal((await askNode(reader, 'GET', `/v1/conversations/${id}`)).name, letters.join(''));
});

test('stores no word of a conversation as plain text when the switch is on, and reads both forms', async () => {
  const before = await setup.converse(plain);
  assert.deepEqual(await columnsWith(before.story), covered);
  const since = await setup.converse(encrypting);
  assert.deepEqual(await columnsWith(since.story), []);
  await before.check(encrypting);
  await since.check(plain);
});

test('the job seals what was stored before and opens it again, and goes on after it was stopped', async () => {
  const story = await setup.converse(plain);
  let looks = 0;
  // Stopped in the middle, like a process that is killed between two values.
  const stopping = Object.defineProperty(new AbortController().signal, 'aborted', { get: () => ++looks > 40 });
  await convert(true, { signal: stopping });
  assert.notDeepEqual(await columnsWith(story.story), []);
  await story.check(plain);
  const logged = await convert(true);
  assert.deepEqual(await columnsWith(story.story), []);
  assert.ok(logged.some((line) => line.includes('text.converted') && line.includes('"column":"messages.parts"')));
  assert.deepEqual(await convert(true), [], 'nothing is left to do');
  await story.check(encrypting);
  await convert(false);
  assert.deepEqual(await columnsWith(story.story), covered);
  assert.deepEqual(await columnsWith(`atrium-sealed:1:`), ['conversations.name']);
  await story.check(plain);
});

test('the job does not send messages to their channel again, and publishes no event', async () => {
  await query('create table told (id uuid)');
  await query(`create or replace function channel_tell_message() returns trigger language plpgsql as $$
    begin insert into told values (new.id); return null; end $$`);
  await query(
    `insert into event_feeds (workspace_id, watched_until) select id, now() + interval '1 hour' from workspaces`,
  );
  const published = async () => {
    const [{ count }] = await query(`select (select count(*) from outbox where event = 'live:conversation.renamed')
      + (select count(*) from workspace_events where event = 'conversation.renamed') as count`);
    return Number(count);
  };
  const { url } = await setup.converse(plain);
  assert.ok((await query('delete from told returning id')).length > 0);
  const before = await published();
  assert.ok(before > 0);
  for (const encrypt of [true, false]) await convert(encrypt);
  await askNode(encrypting, 'PATCH', url, { settings: { tone: 'Calm' } });
  assert.deepEqual(await query('select id from told'), []);
  assert.equal(await published(), before);
});

test('refuses sealed text that was moved to another row or column', async () => {
  const { id, url, word } = await setup.converse(encrypting);
  const swap = (table: string, column: string, where: string) =>
    query(`update ${table} set ${column} = given.value from (select ${column} as value from ${table} where ${where}
      order by created_at limit 1) given where ${where}`);
  const kept = await query('select id, parts from messages where conversation_id = $1', [id]);
  await swap('messages', 'parts', `conversation_id = '${id}' and role = 'user'`);
  const moved = await callNode(encrypting, 'GET', url);
  assert.equal(moved.status, 500, moved.text);
  assert.ok(!moved.text.includes(word('user')));
  const logged = await convert(false);
  assert.ok(logged.some((line) => line.includes('text.not-converted') && line.includes('belongs to another row')));
  for (const { id: message_id, parts } of kept)
    await query('update messages set parts = $2 where id = $1', [message_id, parts]);
  await askNode(encrypting, 'GET', url);

  await convert(true);
  await query('update human_requests set note = arguments where conversation_id = $1', [id]);
  const requests = await callNode(encrypting, 'GET', `${url}/approvals`);
  assert.equal(requests.status, 500, requests.text);
  assert.ok(!requests.text.includes(word('todo')));
  await query('update human_requests set note = null where conversation_id = $1', [id]);
  await query(
    `update run_events e set data = o.data from run_events o where o.run_id = e.run_id and o.type = 'tool-call'
     and e.type = 'tool-result' and e.run_id in (select id from runs where conversation_id = $1)`,
    [id],
  );
  const [{ run_id }] = await query('select id as run_id from runs where conversation_id = $1 order by id', [id]);
  assert.equal((await callNode(encrypting, 'GET', `/v1/runs/${run_id}/trace`)).status, 500);
});

test('refuses to search names when the switch is on, naming it', async () => {
  const refused = await callNode(encrypting, 'GET', '/v1/conversations?search=title');
  assert.equal(refused.status, 422);
  assert.match(refused.text, /ATRIUM_ENCRYPT_AT_REST/);
  const { word } = await setup.converse(plain);
  const { items } = await askNode(plain, 'GET', `/v1/conversations?search=${word('TITLE')}`);
  assert.equal(items.length, 1);
});

test('the tables of the platform say that text is encrypted, and show the text that is not', async () => {
  const [before, since] = [await setup.converse(plain), await setup.converse(encrypting)];
  const rowsOf = async (id: string) => {
    const sql = `select c.name, m.parts, f.comment from conversations c join messages m on m.conversation_id = c.id
      join feedback f on f.conversation_id = c.id where c.id = '${id}'`;
    return JSON.stringify((await askNode(encrypting, 'POST', '/v1/tables/query', { sql })).items);
  };
  const shown = await rowsOf(before.id);
  for (const kind of ['title', 'user', 'comment']) assert.ok(shown.includes(before.word(kind)), shown);
  const hidden = await rowsOf(since.id);
  assert.match(hidden, /Encrypted at rest \(ATRIUM_ENCRYPT_AT_REST\)/);
  assert.doesNotMatch(hidden, /atrium-sealed/);
});

test('text opens after all keys were replaced and the retired ones are gone', async () => {
  const before = await setup.converse(encrypting);
  const keyOf = async (id: string) =>
    (await query('select name from conversations where id = $1', [id]))[0].name.split(':').at(-2);
  const secret_key = 'the-second-master-key-0123456789';
  await setup.rotate({ new_secret_key: secret_key });
  await query(`update data_keys set retired_at = now() - interval '2 hours' where retired_at is not null`);
  await setup.sweep();
  const renewed = await setup.node({ secret_key, encrypt_at_rest: true });
  const since = await setup.converse(renewed);
  assert.notEqual(await keyOf(before.id), await keyOf(since.id));
  await before.check(renewed);
  await since.check(encrypting);
  await convert(false, { config: { secret_key } });
  for (const { story } of [before, since]) assert.deepEqual(await columnsWith(story), covered);
});
