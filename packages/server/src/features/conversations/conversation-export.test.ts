import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { databaseOf, fill, makeSay, textsOf } from './testing.ts';

const testing = await testApp();
const { call } = testing;
const say = makeSay(await databaseOf(testing));

const start = async (body: object = {}) => (await call('POST', '/v1/conversations', body)).json;
const all = Array.from({ length: 2000 }, (_, n) => `m${n + 1}`);

test('a conversation of two thousand messages is exported as JSON, complete and in order', async () => {
  const sent = await start({
    name: 'long',
    settings: { capability_versions: { messages: [] }, intro: '"messages":[]' },
  });
  await fill(testing, sent, 2000);
  const { status, json, headers } = await call('GET', `/v1/conversations/${sent.id}/export?format=json`);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(headers['content-disposition'], `attachment; filename="conversation-${sent.id}.json"`);
  assert.deepEqual(textsOf(json.messages), all);
  const { messages: _, ...rest } = json;
  const { messages: __, ui_messages: ___, ...read } = (await call('GET', `/v1/conversations/${sent.id}`)).json;
  assert.deepEqual(rest, read);
});

test('a conversation of two thousand messages is exported as Markdown, complete and in order', async () => {
  const sent = await start({ name: 'long' });
  await fill(testing, sent, 2000);
  const { text, headers } = await call('GET', `/v1/conversations/${sent.id}/export`);
  assert.equal(headers['content-type'], 'text/markdown; charset=utf-8');
  assert.match(text, /^# long\n\n## User · /);
  const texts = [...text.matchAll(/^## (User|Assistant) · \S+Z\n\n(.+)\n$/gm)];
  assert.deepEqual(
    texts.map(([, , said]) => said),
    all,
  );
  assert.deepEqual(
    texts.slice(0, 3).map(([, who]) => who),
    ['User', 'Assistant', 'User'],
  );
});

test('an empty conversation can be exported', async () => {
  const { id } = await start();
  assert.equal((await call('GET', `/v1/conversations/${id}/export?format=markdown`)).text, '# Conversation\n\n');
  assert.deepEqual((await call('GET', `/v1/conversations/${id}/export?format=json`)).json.messages, []);
});

test('tool calls are in the JSON and not in the Markdown', async () => {
  const sent = await start();
  await say(sent, 'assistant', { role: 'function', type: 'function', content: 'result', name: 'x' }, 'said');
  const { text } = await call('GET', `/v1/conversations/${sent.id}/export`);
  assert.deepEqual([text.includes('said'), text.includes('result')], [true, false]);
  const { json } = await call('GET', `/v1/conversations/${sent.id}/export?format=json`);
  assert.deepEqual(textsOf(json.messages), ['result|said']);
});

test('an export does not hand on the link of a shared conversation', async () => {
  const { id } = await start();
  const { json } = await call('POST', `/v1/conversations/${id}/share`);
  for (const format of ['json', 'markdown']) {
    const { text } = await call('GET', `/v1/conversations/${id}/export?format=${format}`);
    assert.equal(text.includes(json.public_access_token), false);
  }
});

test('an unknown format is refused', async () => {
  const { id } = await start();
  const { status, json } = await call('GET', `/v1/conversations/${id}/export?format=pdf`);
  assert.deepEqual([status, json.detail[0].loc, json.detail[0].type], [422, ['query', 'format'], 'literal_error']);
});
