import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallOptions, testApp } from '../../../test/support/test-app.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const app = await testApp();
const { call } = app;
const people = await makePeopleIn(app);

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;
const listed = async (query: string, by: CallOptions = {}): Promise<Json[]> => {
  const { status, json, text } = await call('GET', `/v1/feedback?${query}`, undefined, by);
  assert.equal(status, 200, text);
  assert.equal(json.total, json.items.length);
  return json.items;
};
const definition = { model: ['atrium/extractive'] };
const newAgent = async (name: string) => (await call('POST', '/v1/agents', { name, definition })).json.id as string;
async function rated(agent: string, given: object, by: CallOptions = {}) {
  const { json } = await call('POST', `/v1/conversations?assistant_id=${agent}`, { name: 'talk' }, by);
  const { status, json: made } = await call('POST', `/v1/conversations/${json.id}/feedback`, given, by);
  assert.equal(status, 200);
  return made as { id: string; conversation_id: string };
}

const [one, two] = [await newAgent('One'), await newAgent('Two')];
const bad = await rated(one, { rating: 'down', comment: 'Late' });
const good = await rated(one, { rating: 'up' });
const scored = await rated(two, { score: 2 });
const ids = (items: Json[]) => items.map(({ id }) => id);

test('lists feedback of all conversations by agent, conversation, rating, score, comment and time, latest first', async () => {
  assert.deepEqual(ids(await listed('')), [scored.id, good.id, bad.id]);
  assert.deepEqual(ids(await listed(`assistant_id=${one}`)), [good.id, bad.id]);
  assert.deepEqual(ids(await listed(`conversation_id=${bad.conversation_id}`)), [bad.id]);
  assert.deepEqual(ids(await listed('rating=down')), [bad.id]);
  assert.deepEqual(ids(await listed('score=2')), [scored.id]);
  assert.deepEqual(ids(await listed('commented=true')), [bad.id]);
  assert.deepEqual(ids(await listed(`commented=false&assistant_id=${one}`)), [good.id]);
  const [entry] = await listed('rating=down');
  assert.deepEqual([entry.assistant_id, entry.comment, entry.given_by.kind], [one, 'Late', 'api_key']);
  const [moment, later] = [entry.created_at, new Date(Date.parse(entry.created_at) + 1).toISOString()];
  assert.ok(ids(await listed(`created_after=${moment}`)).includes(bad.id));
  assert.ok(!ids(await listed(`created_after=${later}`)).includes(bad.id));
  assert.deepEqual(ids(await listed(`created_before=${moment}`)), []);
  assert.equal((await call('GET', '/v1/feedback?rating=fine')).status, 422);
});

test("lists no feedback of other workspaces, and none to callers who may not read others' conversations", async () => {
  const { key } = await app.workspace();
  assert.deepEqual(await listed('', { key }), []);
  assert.deepEqual(await listed(`assistant_id=${one}`, { key }), []);
  const { key: weak } = await app.workspace(['agents_run']);
  assert.equal((await call('GET', '/v1/feedback', undefined, { key: weak })).status, 403);
  const reader = await people.aMember('Reader');
  assert.equal((await call('GET', '/v1/feedback', undefined, as(reader.cookie))).status, 403);
});

test('reads feedback by an index for each filter when there are many rows', async () => {
  await app.query('set enable_seqscan = off');
  const [{ workspace_id }] = await app.query('select workspace_id from feedback limit 1');
  for (const [filter, index] of [
    [`assistant_id = '${one}'`, 'feedback_by_agent'],
    [`rating = 'down'`, 'feedback_by_rating'],
    ['score = 2', 'feedback_by_score'],
    [`person_id = '${one}'`, 'feedback_by_person'],
    [`id > '${bad.id}'`, 'feedback_by_time'],
  ]) {
    const plan = await app.query(
      `explain select id from feedback where workspace_id = '${workspace_id}' and ${filter} order by id desc limit 10`,
    );
    assert.match(JSON.stringify(plan), new RegExp(index as string));
  }
});
