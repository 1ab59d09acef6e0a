import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { as, makePeopleIn } from '../../people/testing.ts';
import { databaseOf, makeSay } from '../testing.ts';

const testing = await testApp();
const { call, query, workspace } = testing;
const people = await makePeopleIn(testing);
const say = makeSay(await databaseOf(testing));
const ada = await people.aMember('Reader');
const bo = await people.aMember('Reader');
const mine = as(ada.cookie);

type Caller = { key?: string | null; headers?: Record<string, string> };
const begin = async (name: string, by: Caller = mine) => (await call('POST', '/v1/conversations', { name }, by)).json;
const bulk = async (body: object, by: Caller = mine) => {
  const answer = await call('POST', '/v1/conversations/bulk', body, by);
  assert.equal(answer.status, 200, answer.text);
  const items = answer.json.items as { id: string; code: string | null }[];
  return { ...answer.json, codes: items.map(({ code }) => code ?? 'done') };
};
const tagsOf = async ({ id }: { id: string }) => (await call('GET', `/v1/conversations/${id}`)).json.tags;

test('tags and untags conversations and answers for each id', async () => {
  const [one, two, others] = [await begin('one'), await begin('two'), await begin('others', as(bo.cookie))];
  await call('PATCH', `/v1/conversations/${two.id}`, { tags: Array.from({ length: 9 }, (_, n) => `t${n}`) }, mine);
  const conversation_ids = [one.id, two.id, others.id, randomUUID(), one.id];
  const tagged = await bulk({ action: 'tag', tags: ['b', 'a', 'b'], conversation_ids });
  assert.deepEqual(tagged.codes, ['done', 'too_many_tags', 'not_found', 'not_found']);
  assert.deepEqual([tagged.done, tagged.failed], [1, 3]);
  assert.deepEqual([await tagsOf(one), (await tagsOf(two)).length, await tagsOf(others)], [['b', 'a'], 9, []]);
  const { etag } = (await call('GET', `/v1/conversations/${one.id}`)).json;
  await bulk({ action: 'tag', tags: ['a'], conversation_ids: [one.id] });
  assert.equal((await call('GET', `/v1/conversations/${one.id}`)).json.etag, etag);
  await bulk({ action: 'untag', tags: ['b', 't0'], conversation_ids: [one.id, two.id] });
  assert.deepEqual([await tagsOf(one), (await tagsOf(two)).length], [['a'], 8]);
  assert.equal(
    (await call('POST', '/v1/conversations/bulk', { action: 'tag', conversation_ids: [one.id] })).status,
    422,
  );
});

test('archives, pins and reads many for the person who asks alone', async () => {
  const made = [await begin('m1'), await begin('m2')];
  for (const conversation of made) await say(conversation, 'assistant', 'hello');
  const conversation_ids = made.map(({ id }) => id);
  const boss = as((await people.aMember('Admin')).cookie);
  const count = async (search: string, by: Caller = mine) =>
    (await call('GET', `/v1/conversations?search=m&${search}`, undefined, by)).json.total;
  for (const [action, search, after] of [
    ['archive', 'archived=true', 2],
    ['unarchive', 'archived=true', 0],
    ['pin', 'pinned=true', 2],
    ['unpin', 'pinned=true', 0],
    ['read', 'unread=true', 0],
    ['unread', 'unread=true', 2],
  ] as const) {
    assert.deepEqual((await bulk({ action, conversation_ids })).codes, ['done', 'done']);
    assert.deepEqual([await count(search), await count(search, boss)], [after, 0], action);
  }
  const program = await call('POST', '/v1/conversations/bulk', { action: 'archive', conversation_ids });
  assert.deepEqual([program.status, program.json.code], [409, 'not_a_person']);
});

test('deletes five hundred, once for each Idempotency-Key, and none of others', async () => {
  const place = await workspace();
  const theirs = await begin('theirs', { key: place.key });
  await query(
    `insert into conversations (workspace_id, id, etag_ms) select $1, gen_random_uuid(), 0 from generate_series(1, 499)`,
    [place.id],
  );
  const ids = (await query('select id from conversations where workspace_id = $1', [place.id])).map(({ id }) => id);
  const body = { action: 'delete', conversation_ids: ids };
  assert.deepEqual([(await bulk(body)).done, (await bulk(body, as(bo.cookie))).done], [0, 0]);
  const own = { key: place.key, headers: { 'idempotency-key': randomUUID() } };
  const [first, again] = [await bulk(body, own), await bulk(body, own)];
  assert.deepEqual([first.done, again.done], [500, 500]);
  assert.equal((await call('GET', `/v1/conversations/${theirs.id}`, undefined, { key: place.key })).status, 404);
  const over = { ...body, conversation_ids: [...ids, randomUUID()] };
  assert.equal((await call('POST', '/v1/conversations/bulk', over)).status, 422);
});

test('exports many as lines, without links and without conversations of others', async () => {
  const [one, others] = [await begin('one'), await begin('others', as(bo.cookie))];
  await say(one, 'user', 'two\nlines');
  const { public_access_token: token } = (await call('POST', `/v1/conversations/${one.id}/share`, {}, mine)).json;
  const conversation_ids = [others.id, one.id];
  const answer = await call('POST', '/v1/conversations/export', { conversation_ids }, mine);
  assert.equal(answer.status, 200, answer.text);
  const [hidden, whole, ...more] = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([hidden.id, hidden.done, hidden.code, more], [others.id, false, 'not_found', []]);
  assert.deepEqual([whole.id, whole.done, whole.conversation.name], [one.id, true, 'one']);
  assert.equal(whole.conversation.messages[0].message_parts[0].content, 'two\nlines');
  assert.equal(answer.text.includes(token), false);
});
