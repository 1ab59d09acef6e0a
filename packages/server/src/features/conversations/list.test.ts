import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { databaseOf, makeSay } from './testing.ts';

const testing = await testApp();
const { call, workspace, query } = testing;
const say = makeSay(await databaseOf(testing));

/** Times are stored in milliseconds; after this wait the next record is later. */
const later = () => query('select pg_sleep(0.002)');

/** A workspace of its own, so that every total is known. */
async function place() {
  const { key } = await workspace();
  const start = async (body: object = {}, search = '') =>
    (await call('POST', `/v1/conversations${search}`, body, { key })).json;
  const list = async (search = '') => {
    const { status, json, text } = await call('GET', `/v1/conversations${search}`, undefined, { key });
    assert.equal(status, 200, text);
    return { ...json, names: json.items.map(({ name }: { name: string }) => name) };
  };
  return { key, start, list };
}

test('a conversation without a message is left out unless asked for', async () => {
  const { start, list } = await place();
  const spoken = await start({ name: 'spoken' });
  await start({ name: 'silent' });
  await later();
  await say(spoken, 'user', 'hi');
  assert.deepEqual((await list()).names, ['spoken']);
  assert.deepEqual((await list('?include_empty=True')).names, ['spoken', 'silent']);
  assert.equal((await list()).total, 1);
});

test('an item of the list is the conversation without its messages', async () => {
  const { key, start, list } = await place();
  const sent = await start({ name: 'whole', settings: { top_k: 3, persona: 'calm' } });
  await say(sent, 'user', 'hi');
  const { messages, ui_messages, ...rest } = (await call('GET', `/v1/conversations/${sent.id}`, undefined, { key }))
    .json;
  assert.deepEqual([messages.length, ui_messages.length], [1, 1]);
  assert.deepEqual((await list()).items, [{ ...rest, ui_messages: [] }]);
});

test('the latest changed comes first, and a new message is a change', async () => {
  const { key, start, list } = await place();
  const [a, b, c] = [await start({ name: 'a' }), await start({ name: 'b' }), await start({ name: 'c' })];
  assert.deepEqual((await list('?include_empty=true')).names, ['c', 'b', 'a']);
  await later();
  await say(a, 'user', 'hi');
  assert.deepEqual((await list('?include_empty=true')).names, ['a', 'c', 'b']);
  await later();
  await call('PATCH', `/v1/conversations/${b.id}`, { manual: true }, { key });
  assert.deepEqual((await list('?include_empty=true')).names, ['b', 'a', 'c']);
  await call('PATCH', `/v1/conversations/${c.id}`, {}, { key });
  assert.deepEqual((await list('?include_empty=true')).names, ['b', 'a', 'c']);
});

test('pages hold every conversation once, in order', async () => {
  const { start, list } = await place();
  for (let n = 0; n < 23; n++) await start({ name: `n${n}` });
  const seen: string[] = [];
  for (let page = 1; page <= 5; page++) {
    const { names, total, pages, size, page: at } = await list(`?include_empty=true&size=5&page=${page}`);
    assert.deepEqual([total, pages, size, at], [23, 5, 5, page]);
    seen.push(...names);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 23 }, (_, n) => `n${22 - n}`),
  );
  const beyond = await list('?include_empty=true&size=5&page=900719925474099');
  assert.deepEqual([beyond.items, beyond.total], [[], 23]);
});

test('page_size is another name of size, which wins; neither is 50', async () => {
  const { list } = await place();
  const sizes = ['?page_size=7', '?size=3&page_size=7', ''].map(async (search) => (await list(search)).size);
  assert.deepEqual(await Promise.all(sizes), [7, 3, 50]);
  assert.equal((await list('?something=else')).size, 50);
});

test('an impossible page is refused where it is wrong', async () => {
  const wrong: [string, string, string][] = [
    ['size=0', 'size', 'greater_than_equal'],
    ['size=101', 'size', 'less_than_equal'],
    ['size=x', 'size', 'int_parsing'],
    ['page_size=101', 'page_size', 'less_than_equal'],
    ['page=0', 'page', 'greater_than_equal'],
    ['status=idle', 'status', 'literal_error'],
    ['assistant_id=x', 'assistant_id', 'uuid_parsing'],
    ['created_after=x', 'created_after', 'datetime_from_date_parsing'],
    ['include_empty=perhaps', 'include_empty', 'bool_parsing'],
  ];
  for (const [search, name, type] of wrong) {
    const { status, json } = await call('GET', `/v1/conversations?${search}`);
    assert.equal(status, 422, search);
    assert.deepEqual([json.detail[0].loc, json.detail[0].type], [['query', name], type]);
    assert.equal(json.detail.length, 1);
  }
});

test('each filter keeps what it asks for', async () => {
  const { key, start, list } = await place();
  const { json: agent } = await call('POST', '/v1/agents', { name: 'A' }, { key });
  const old = await start({ name: 'Old ORDER 100%' }, `?assistant_id=${agent.id}`);
  const fresh = await start({ name: 'fresh order' });
  await start();
  await query("update conversations set created_at = '2020-01-01', status = 'failed' where id = $1", [old.id]);
  const found = async (search: string) =>
    (await list(`?include_empty=true&${search}`)).items.map(({ id }: { id: string }) => id);
  assert.deepEqual(await found(`assistant_id=${agent.id}`), [old.id]);
  assert.deepEqual(await found('status=failed'), [old.id]);
  assert.deepEqual(await found('search=order'), [fresh.id, old.id]);
  assert.deepEqual(await found('search=0%25'), [old.id]);
  assert.deepEqual(await found('search=_'), []);
  assert.deepEqual(await found('created_before=2020-06-01'), [old.id]);
  assert.deepEqual(await found('created_before=2020-01-01T00:00:00Z'), []);
  assert.deepEqual(await found('created_after=2020-01-01T00:00:00Z&created_before=2021-01-01&status=failed'), [old.id]);
  assert.equal((await found('created_after=2020-01-02')).length, 2);
  assert.deepEqual(await found('search=order&status=queued'), [fresh.id]);
  assert.equal((await list('?include_empty=true&search=order&size=1')).total, 2);
});

test('the conversations of a deleted agent can be listed, those of an unknown one are 404', async () => {
  const { key, start, list } = await place();
  const { json: agent } = await call('POST', '/v1/agents', { name: 'A' }, { key });
  assert.deepEqual((await list(`?assistant_id=${agent.id}`)).items, []);
  await start({}, `?assistant_id=${agent.id}`);
  await call('DELETE', `/v1/agents/${agent.id}`, undefined, { key });
  assert.equal((await list(`?include_empty=true&assistant_id=${agent.id}`)).total, 1);
  const { json: theirs } = await call('POST', '/v1/agents', { name: 'B' });
  for (const id of [theirs.id, randomUUID()])
    assert.equal((await call('GET', `/v1/conversations?assistant_id=${id}`, undefined, { key })).status, 404);
});
