import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { as, makePeopleIn } from '../../people/testing.ts';
import { databaseOf, fill, makeSay, textsOf } from '../testing.ts';

const testing = await scriptedApp();
const { call, query } = testing;
const people = await makePeopleIn(testing);
const say = makeSay(await databaseOf(testing));
const ada = await people.aMember('Reader');
const bo = await people.aMember('Reader');
const boss = await people.aMember('Admin');
const mine = as(ada.cookie);
const model = await testing.provider();
model.server.answers = () => ({ text: 'Good day.' });
const definition = { model: [`${model.name}/one`], persona: 'Calm' };
const agent = (await call('POST', '/v1/agents', { name: 'Desk', definition })).json;

const begin = async (by = mine) =>
  (await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Trip', variables: { a: 'b' } }, by)).json;
const copy = (id: string, message: string, by: object = mine, body?: object) =>
  call('POST', `/v1/conversations/${id}/messages/${message}/copy`, body, by);

test('copies the messages up to one, and the agent goes on there with what was said', async () => {
  const made = await begin();
  await say(made, 'user', 'one');
  const here = await say(made, 'assistant', { role: 'assistant', type: 'text', content: 'two' });
  const later = await say(made, 'user', 'three');
  await query("update conversations set brought = '{untrusted}', tokens_used = 7, violations = 1 where id = $1", [
    made.id,
  ]);
  const { status, json, text } = await copy(made.id, here);
  assert.equal(status, 200, text);
  assert.notEqual(json.id, made.id);
  assert.deepEqual([json.name, json.assistant_id, json.created_by], ['Trip', agent.id, ada.id]);
  assert.equal(json.assistant_version_id, made.assistant_version_id);
  assert.deepEqual(textsOf(json.messages), ['one', 'two']);
  assert.ok(![here, later].includes(json.messages[1].id));
  const [row] = await query(
    'select brought, tokens_used::int, violations, variables from conversations where id = $1',
    [json.id],
  );
  assert.deepEqual([row.brought, row.tokens_used, row.violations], [['untrusted'], 7, 1]);
  assert.ok(row.variables);

  const before = model.server.requests.length;
  const answer = await call('POST', `/v1/conversations/${json.id}/chat`, { content: 'four' }, mine);
  assert.equal(answer.status, 200, answer.text);
  const asked = JSON.stringify(model.server.requests.slice(before));
  for (const [word, isSent] of [
    ['one', true],
    ['two', true],
    ['four', true],
    ['three', false],
  ] as const)
    assert.equal(asked.includes(`"${word}"`), isSent, word);
  const source = (await call('GET', `/v1/conversations/${made.id}`, undefined, mine)).json;
  assert.deepEqual(textsOf(source.messages), ['one', 'two', 'three']);
});

test('copies what is shown of branches, many messages, and under another name', async () => {
  const made = await begin();
  await fill(testing, made, 450);
  await query(
    'update messages set superseded_by = gen_random_uuid() where conversation_id = $1 and seq between 3 and 50',
    [made.id],
  );
  const [{ id: last }] = await query('select id from messages where conversation_id = $1 and seq = 449', [made.id]);
  const { json } = await copy(made.id, last, mine, { name: 'Other' });
  assert.equal(json.name, 'Other');
  const { items } = (await call('GET', `/v1/conversations/${json.id}/messages?order=oldest&size=4`, undefined, mine))
    .json;
  assert.deepEqual(textsOf(items), ['m1', 'm2', 'm51', 'm52']);
  assert.equal(textsOf(json.messages).at(-1), 'm449');
  const [{ count }] = await query('select message_count as count from conversations where id = $1', [json.id]);
  assert.equal(count, 401);
  const [{ id: replaced }] = await query('select id from messages where conversation_id = $1 and seq = 3', [made.id]);
  assert.equal((await copy(made.id, replaced)).status, 404);
});

test('a copy belongs to who made it, and takes neither the link nor locks that were turned off', async () => {
  const made = await begin();
  const message = await say(made, 'user', 'one');
  await call('POST', `/v1/conversations/${made.id}/share`, {}, mine);
  await query("update conversations set unlocked = '{pii_lock}' where id = $1", [made.id]);
  assert.equal((await copy(made.id, message, as(bo.cookie))).status, 404);
  assert.equal((await copy(made.id, randomUUID())).status, 404);
  const { json } = await copy(made.id, message, as(boss.cookie));
  assert.deepEqual([json.created_by, json.public_access_token, json.tags], [boss.id, null, []]);
  const [row] = await query('select unlocked, public_token from conversations where id = $1', [json.id]);
  assert.deepEqual([row.unlocked, row.public_token], [[], null]);
  assert.equal((await call('GET', `/v1/conversations/${json.id}`, undefined, mine)).status, 404);
});

test("a key without conversations_read copies no conversation of another's, since it could share the copy", async () => {
  const made = await begin();
  const message = await say(made, 'user', 'one');
  const keysAt = `/v1/admin/groups/${made.group_id}/api-keys`;
  const weak = (await call('POST', keysAt, { name: 'Weak', reach: 'workspace', permissions: ['agents_run'] })).json
    .value;
  assert.equal((await copy(made.id, message, { key: weak })).status, 403);
});

test('refuses to copy a conversation that is locked or busy', async () => {
  const made = await begin();
  const message = await say(made, 'user', 'one');
  await query("update conversations set status = 'running' where id = $1", [made.id]);
  const busy = await copy(made.id, message);
  assert.deepEqual([busy.status, busy.json.code], [409, 'conversation_busy']);
  await query("update conversations set status = 'completed' where id = $1", [made.id]);
  await call('POST', `/v1/conversations/${made.id}/lock`, {});
  assert.equal((await copy(made.id, message)).status, 423);
});
