import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { databaseOf, makeSay } from '../conversations/testing.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { auditOf } from './testing.ts';

const testing = await scriptedApp();
const { call, query } = testing;
const { aMember } = await makePeopleIn(testing);
const { entries } = auditOf(testing);
const say = makeSay(await databaseOf(testing));
const [ada, boss] = [await aMember('Reader'), await aMember('Admin')];

async function aConversation() {
  const made = await call('POST', '/v1/conversations', { name: 'private' }, as(ada.cookie));
  assert.equal(made.status, 200, made.text);
  await say(made.json, 'user', 'a word');
  return made.json.id as string;
}
const readsOf = (id: string) => entries({ outcome: 'read', target_id: id });

test('records who read a conversation of another person, whose it is and how, and nothing for its owner', async () => {
  const id = await aConversation();
  for (const path of ['', '/messages', '/export?format=json'])
    assert.equal((await call('GET', `/v1/conversations/${id}${path}`, undefined, as(ada.cookie))).status, 200);
  assert.deepEqual(await readsOf(id), []);
  const opened = await call('GET', `/v1/conversations/${id}`, undefined, as(boss.cookie));
  assert.equal(opened.status, 200);
  for (const path of ['/messages', '/export?format=json'])
    assert.equal((await call('GET', `/v1/conversations/${id}${path}`, undefined, as(boss.cookie))).status, 200);
  const found = await readsOf(id);
  assert.deepEqual(
    found.map(({ operation, outcome, actor, target, parent }) => [operation, outcome, actor.id, target, parent.id]),
    ['conversations.export', 'conversations.listMessages', 'conversations.get'].map((operation) => [
      ...[operation, 'read', boss.id, { kind: 'conversation', id, name: null }, ada.id],
    ]),
  );
  assert.equal(found[2].request_id, opened.headers['x-request-id']);
  assert.deepEqual([found[2].session_id, found[2].before, found[2].after], [boss.session_id, null, null]);
});

test('lists reads only where they are asked for, and finds them by the person whose record was read', async () => {
  const id = await aConversation();
  await call('GET', `/v1/conversations/${id}`, undefined, as(boss.cookie));
  assert.ok((await entries()).every(({ outcome }) => outcome !== 'read'));
  assert.ok((await entries({ outcome: 'done' })).every(({ outcome }) => outcome === 'done'));
  const both = await entries({ reads: 'true' });
  assert.ok(both.some(({ outcome }) => outcome === 'read') && both.some(({ outcome }) => outcome === 'done'));
  const ofAda = await entries({ outcome: 'read', target_kind: 'person', target_id: ada.id });
  assert.ok(ofAda.some(({ target }) => target.id === id));
});

test('counts repeated reads of one record instead of a row for each', async () => {
  const counted = await scriptedApp();
  const people = await makePeopleIn(counted);
  const [owner, reader] = [await people.aMember('Reader'), await people.aMember('Admin')];
  const { id } = (await counted.call('POST', '/v1/conversations', {}, as(owner.cookie))).json;
  for (let n = 0; n < 20; n++) await counted.call('GET', `/v1/conversations/${id}`, undefined, as(reader.cookie));
  const rows = () =>
    counted.query("select count, target_id, parent_id from audit_log where outcome = 'read' order by count");
  assert.deepEqual(await rows(), [{ count: 1, target_id: id, parent_id: owner.id }]);
  await counted.app.close();
  assert.deepEqual(
    (await rows()).map(({ count, target_id }) => [count, target_id]),
    [
      [1, id],
      [19, id],
    ],
  );
});

test('records SQL over messages and reading their table', async () => {
  const asked = await call('POST', '/v1/tables/query', { sql: 'select count(*) from messages' }, as(boss.cookie));
  assert.equal(asked.status, 200, asked.text);
  const tables = (await call('GET', '/v1/tables', undefined, as(boss.cookie))).json.items;
  const messages = tables.find(({ sql_name }: { sql_name: string }) => sql_name === 'messages');
  const listed = await call('GET', `/v1/tables/${messages.id}/rows`, undefined, as(boss.cookie));
  assert.equal(listed.status, 200, listed.text);
  for (const answer of [asked, listed]) {
    const found = (await entries({ outcome: 'read' })).filter(
      ({ request_id }) => request_id === answer.headers['x-request-id'],
    );
    assert.deepEqual(
      found.map(({ actor, target, after }) => [actor.id, target, after]),
      [[boss.id, null, { kind: 'messages' }]],
    );
  }
});

test('records the trace of a run and commands in the sandbox of another person', async () => {
  const { name } = await testing.provider({ text: 'Hello' });
  const agent = (await call('POST', '/v1/agents', { name: 'x', definition: { model: [`${name}/one`] } })).json.id;
  const path = `/v1/conversations?assistant_id=${agent}`;
  const { id, group_id } = (await call('POST', path, { name: 'x' }, as(ada.cookie))).json;
  const sent = await call('POST', `/v1/conversations/${id}`, { content: 'hello' }, as(ada.cookie));
  assert.equal(sent.status, 200, sent.text);
  const [{ id: run_id }] = await query('select id from runs where conversation_id = $1', [id]);
  const trace = await call('GET', `/v1/runs/${run_id}/trace`, undefined, as(boss.cookie));
  assert.equal(trace.status, 200, trace.text);
  assert.deepEqual(
    (await readsOf(id)).map(({ operation, actor }) => [operation, actor.id]),
    [['runs.getTrace', boss.id]],
  );
  const sandbox = await call('POST', '/v1/sandboxes', {}, as(boss.cookie));
  assert.equal(sandbox.status, 200, sandbox.text);
  const run = () => call('POST', `/v1/sandboxes/${sandbox.json.id}/exec`, { command: 'true' }, as(boss.cookie));
  assert.equal((await run()).status, 200);
  assert.deepEqual(await readsOf(sandbox.json.id), [], 'a sandbox of the workspace');
  await query('update sandboxes set conversation_id = $1 where workspace_id = $2 and id = $3', [
    ...[id, group_id, sandbox.json.id],
  ]);
  assert.equal((await run()).status, 200);
  assert.deepEqual(
    (await readsOf(sandbox.json.id)).map(({ operation, target, parent }) => [operation, target.kind, parent.id]),
    [['sandboxes.exec', 'sandbox', ada.id]],
  );
});
