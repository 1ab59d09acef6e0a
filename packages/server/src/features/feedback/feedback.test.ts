import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { databaseOf, makeSay } from '../conversations/testing.ts';

const app = await testApp();
const { call } = app;
const say = makeSay(await databaseOf(app));

async function talk(settings: object = {}) {
  const { json } = await call('POST', '/v1/conversations', { name: 'talk', settings });
  const question = await say(json, 'user', 'Where is my order?');
  const reply = await say(json, 'assistant', 'On its way.');
  return { id: json.id as string, question, reply };
}
const at = (id: string, message?: string) => `/v1/conversations/${id}${message ? `/messages/${message}` : ''}/feedback`;
const listed = async (id: string) => (await call('GET', at(id))).json.items;

test('feedback on a message is kept, and saying it again replaces it', async () => {
  const { id, reply } = await talk();
  const first = await call('POST', at(id, reply), { rating: 'down', comment: 'Late' });
  assert.equal(first.status, 200, first.text);
  const second = await call('POST', at(id, reply), { rating: 'up' });
  assert.equal(second.json.id, first.json.id);
  const [kept, ...others] = await listed(id);
  assert.deepEqual([kept.message_id, kept.rating, kept.score, kept.comment], [reply, 'up', null, null]);
  assert.equal(others.length, 0);
});

test('two keys have an opinion each, of messages and of the conversation', async () => {
  const { id, reply } = await talk();
  const { json: me } = await call('GET', '/v1/admin/me');
  const { json: other } = await call('POST', `/v1/admin/groups/${me.group_id ?? me.workspace_id}/api-keys`, {
    name: 'other',
  });
  await call('POST', at(id), { score: 2 });
  await call('POST', at(id), { score: 5 }, { key: other.value });
  await call('POST', at(id, reply), { score: 3 });
  const scores = (await listed(id)).map(({ message_id, score }: Record<string, unknown>) => [message_id, score]);
  assert.deepEqual(scores, [
    [reply, 3],
    [null, 5],
    [null, 2],
  ]);
});

test('feedback can be taken back, and again without harm', async () => {
  const { id, reply } = await talk();
  await call('POST', at(id, reply), { rating: 'up' });
  await call('POST', at(id), { score: 1 });
  assert.equal((await call('DELETE', at(id, reply))).status, 200);
  assert.equal((await call('DELETE', at(id, reply))).status, 200);
  assert.deepEqual(
    (await listed(id)).map(({ score }: Record<string, unknown>) => score),
    [1],
  );
});

test('feedback that says nothing, too much, or of what is not there is refused', async () => {
  const { id, reply } = await talk();
  const other = await talk();
  assert.equal((await call('POST', at(id, reply), {})).status, 422);
  assert.equal((await call('POST', at(id, reply), { comment: '  ' })).status, 422);
  assert.equal((await call('POST', at(id), { score: 6 })).json.detail[0].type, 'less_than_equal');
  assert.equal((await call('POST', at(id), { rating: 'great' })).json.detail[0].type, 'literal_error');
  assert.equal((await call('POST', at(id, other.reply), { rating: 'up' })).status, 404);
});

test('a guest says what they think through the link, of that conversation only', async () => {
  const { id, reply } = await talk();
  const other = await talk();
  const { json } = await call('POST', `/v1/conversations/${id}/share`);
  const door = `/v1/public/conversations/${json.public_access_token}/feedback`;
  const given = await call('POST', door, { rating: 'down', message_id: reply }, { key: null });
  assert.deepEqual([given.status, given.json.given_by.kind], [200, 'link']);
  assert.equal((await call('POST', door, { rating: 'up', message_id: other.reply }, { key: null })).status, 404);
  assert.equal((await listed(id)).length, 1);
});

test('a shared conversation brings the words of its feedback form', async () => {
  const words = { feedback_placeholder: 'Mehr?', feedback_submit_label: 'Ab', feedback_cancel_label: 'Nein' };
  const { id } = await talk(words);
  const { json } = await call('POST', `/v1/conversations/${id}/share`);
  const seen = await call('GET', `/v1/public/conversations/${json.public_access_token}`, undefined, { key: null });
  assert.deepEqual(seen.json.feedback_form, { placeholder: 'Mehr?', submit_label: 'Ab', cancel_label: 'Nein' });
});

test('feedback is a table of the platform, and goes with its conversation', async () => {
  const { id } = await talk();
  await call('POST', at(id), { score: 4, comment: 'Fine' });
  const sql = `select score, comment from feedback where conversation_id = '${id}'`;
  const rows = async () => (await call('POST', '/v1/tables/query', { sql })).json.items;
  assert.equal(JSON.stringify(await rows()).includes('Fine'), true);
  await call('DELETE', `/v1/conversations/${id}`);
  assert.deepEqual(await rows(), []);
});
