import assert from 'node:assert/strict';
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
const boss = await people.aMember('Admin');

type Caller = { key?: string | null; headers?: Record<string, string> };
const good = async (method: string, path: string, body: unknown, by: Caller) => {
  const answer = await call(method, path, body, by);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const mine = as(ada.cookie);
const begin = (name: string, by: Caller = mine) => good('POST', '/v1/conversations', { name }, by);
const mark = (id: string, marks: object, by: Caller = mine) => good('POST', `/v1/conversations/${id}/marks`, marks, by);
const list = async (search: string, by: Caller = mine): Promise<{ id: string; [key: string]: unknown }[]> =>
  (await good('GET', `/v1/conversations?include_empty=true&view=summary&${search}`, undefined, by)).items;
const idsOf = async (search: string, by?: Caller) => (await list(search, by)).map(({ id }) => id);

test('a person pins and archives conversations, and lists them by it', async () => {
  const [pinned, archived, plain] = [await begin('pinned'), await begin('archived'), await begin('plain')];
  const first = await mark(pinned.id, { pinned: true });
  assert.ok(first.pinned_at);
  assert.deepEqual(await mark(pinned.id, { pinned: true }), first);
  await mark(archived.id, { archived: true });
  assert.deepEqual(await idsOf('pinned=true'), [pinned.id]);
  assert.deepEqual(await idsOf('archived=true'), [archived.id]);
  assert.deepEqual(await idsOf('archived=false'), [plain.id, pinned.id]);
  assert.deepEqual(await idsOf('archived=false&pinned=false'), [plain.id]);
  const [item] = await list('pinned=true');
  assert.deepEqual([item?.pinned, item?.archived], [true, false]);
  const { items } = await good('GET', '/v1/conversations?include_empty=true&pinned=true', undefined, mine);
  assert.deepEqual([items[0].id, items[0].etag], [pinned.id, pinned.etag]);
  await mark(pinned.id, { pinned: false });
  assert.deepEqual(await idsOf('pinned=true'), []);
});

test('a conversation is unread when messages came since it was read, for each person', async () => {
  const made = await begin('news');
  const unread = (by: Caller = mine) => idsOf('unread=true&search=news', by);
  assert.deepEqual(await unread(), []);
  await say(made, 'assistant', 'one');
  assert.deepEqual(await unread(), [made.id]);
  assert.deepEqual(await unread(as(boss.cookie)), []);
  assert.equal((await mark(made.id, { unread: false })).unread, false);
  await mark(made.id, { unread: false }, as(boss.cookie));
  assert.deepEqual(await unread(), []);
  assert.deepEqual(await idsOf('unread=false&search=news'), [made.id]);
  await say(made, 'assistant', 'two');
  assert.deepEqual([await unread(), await unread(as(boss.cookie))], [[made.id], [made.id]]);
  await mark(made.id, { unread: false });
  await mark(made.id, { pinned: true });
  assert.deepEqual([await unread(), await unread(as(boss.cookie))], [[], [made.id]]);
  assert.equal((await mark(made.id, { unread: true })).unread, true);
  assert.equal((await good('GET', `/v1/conversations/${made.id}/marks`, undefined, mine)).unread, true);
  assert.equal((await list('search=news'))[0]?.unread, true);
});

test('marks are refused for conversations that the person does not see, and for keys of no person', async () => {
  const made = await begin('hidden');
  await mark(made.id, { pinned: true });
  const at = `/v1/conversations/${made.id}/marks`;
  for (const by of [as(bo.cookie), { key: (await workspace()).key }]) {
    assert.equal((await call('POST', at, { pinned: true }, by)).status, 404);
    assert.equal((await call('GET', at, undefined, by)).status, 404);
  }
  assert.equal((await good('GET', at, undefined, as(boss.cookie))).pinned_at, null);
  const programs = [await call('POST', at, { pinned: true }), await call('GET', '/v1/conversations?archived=false')];
  for (const { status, json } of programs) assert.deepEqual([status, json.code], [409, 'not_a_person']);
  const weak = await call('POST', `/v1/admin/groups/${people.home}/api-keys`, {
    name: 'k',
    permissions: ['kbs_query'],
  });
  assert.equal((await call('POST', at, { pinned: true }, { key: weak.json.value })).status, 403);
  await good('DELETE', `/v1/conversations/${made.id}`, undefined, mine);
  assert.deepEqual(await query('select 1 from conversation_marks where conversation_id = $1', [made.id]), []);
});

test('tags are kept with the conversation, listed by, and seen by all who see it', async () => {
  const made = await begin('tagged');
  const at = `/v1/conversations/${made.id}`;
  const tagged = await good('PATCH', at, { tags: ['billing', 'VIP client', 'billing'] }, mine);
  assert.deepEqual(tagged.tags, ['billing', 'VIP client']);
  assert.notEqual(tagged.etag, made.etag);
  assert.equal((await good('PATCH', at, { tags: ['billing', 'VIP client'] }, mine)).etag, tagged.etag);
  assert.deepEqual(await idsOf('tag=billing'), [made.id]);
  assert.deepEqual(await idsOf('tag=VIP%20client', as(boss.cookie)), [made.id]);
  assert.deepEqual([await idsOf('tag=vip'), await idsOf('tag=billing', as(bo.cookie))], [[], []]);
  assert.deepEqual((await list('tag=billing'))[0]?.tags, ['billing', 'VIP client']);
  assert.deepEqual((await good('PATCH', at, { name: 'renamed' }, mine)).tags, ['billing', 'VIP client']);
  assert.equal((await call('PATCH', at, { tags: ['x'] }, as(bo.cookie))).status, 404);
  for (const tags of [[''], [' x'], ['x'.repeat(41)], Array.from({ length: 11 }, (_, n) => `${n}`)])
    assert.equal((await call('PATCH', at, { tags }, mine)).status, 422, JSON.stringify(tags));
  assert.deepEqual((await good('PATCH', at, { tags: [] }, mine)).tags, []);
});
