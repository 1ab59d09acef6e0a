import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { databaseOf, makeSay } from './testing.ts';

const testing = await testApp();
const { call, query, workspace, logged } = testing;
const say = makeSay(await databaseOf(testing));

const start = async (body: object = {}) => (await call('POST', '/v1/conversations', body)).json;
const share = async (id: string) => (await call('POST', `/v1/conversations/${id}/share`)).json.public_access_token;
const open = (token: string) => call('GET', `/v1/public/conversations/${token}`, undefined, { key: null });

test('a shared conversation has a random token, the same when shared again', async () => {
  const [one, two] = [await start(), await start()];
  const token = await share(one.id);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(await share(one.id), token);
  assert.notEqual(await share(two.id), token);
  const { json } = await call('GET', `/v1/conversations/${one.id}`);
  assert.equal(json.public_access_token, token);
  assert.equal(token.includes(one.id), false);
});

test('fifty requests to share one conversation make one link', async () => {
  const { id } = await start();
  const tokens = await Promise.all(Array.from({ length: 50 }, () => share(id)));
  assert.equal(new Set(tokens).size, 1);
  assert.equal((await open(tokens[0])).json.id, id);
});

test('the token is stored sealed and hashed, and never logged', async () => {
  const { id } = await start();
  const token = await share(id);
  await open(token);
  const [row] = await query(
    'select public_token, length(public_token_hash) as length, c::text as text from conversations c where id = $1',
    [id],
  );
  assert.match(row.public_token, /^box1\./);
  assert.equal(row.length, 32);
  assert.equal(row.text.includes(token), false);
  assert.equal(
    logged.some((line) => line.includes(token)),
    false,
  );
});

test('a guest of the link sees the conversation and nothing of the workspace', async () => {
  const { json: agent } = await call('POST', '/v1/agents', { name: 'A', definition: { persona: 'hidden persona' } });
  const { json: sent } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, {
    name: 'shared',
    settings: { prompt_defense: 'hidden defense' },
    variables: { city: 'hidden city' },
  });
  await say(sent, 'system', 'hidden instructions');
  await say(sent, 'user', 'hello');
  const { status, json, text } = await open(await share(sent.id));
  assert.equal(status, 200);
  const fields =
    'id name status created_at last_updated_at etag is_locked lock_message read_only feedback_form input_placeholder ui_messages';
  assert.deepEqual(Object.keys(json).sort(), fields.split(' ').sort());
  assert.equal(text.includes('hidden'), false);
  for (const id of [sent.group_id, sent.api_key_id, agent.id, agent.version_id]) assert.equal(text.includes(id), false);
  assert.deepEqual(
    json.ui_messages.map(({ parts }: { parts: object[] }) => parts),
    [[{ type: 'text', text: 'hello' }]],
  );
});

test('a shared conversation shows tool calls only with transport_show_tool_calls', async () => {
  const used = { role: 'function', type: 'function', content: 'secret result', name: 'x', arguments: { a: 'secret' } };
  for (const transport_show_tool_calls of [false, true]) {
    const sent = await start({ settings: { transport_show_tool_calls } });
    await say(sent, 'assistant', used, 'the answer');
    const { json, text } = await open(await share(sent.id));
    const types = json.ui_messages[0].parts.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, transport_show_tool_calls ? ['data-chain-of-thought', 'tool-x', 'text'] : ['text']);
    assert.equal(text.includes('secret'), transport_show_tool_calls);
  }
});

test('the link ends when it is taken back, and the next one is another', async () => {
  const { id } = await start();
  const token = await share(id);
  const { status, json } = await call('DELETE', `/v1/conversations/${id}/share`);
  assert.deepEqual([status, json.public_access_token], [200, null]);
  assert.equal((await open(token)).status, 404);
  const again = await call('DELETE', `/v1/conversations/${id}/share`);
  assert.deepEqual(again.json, json);
  const next = await share(id);
  assert.notEqual(next, token);
  assert.equal((await open(token)).status, 404);
  assert.equal((await open(next)).status, 200);
});

test('a link ends with its conversation and with its workspace', async () => {
  const { id } = await start();
  const token = await share(id);
  await call('DELETE', `/v1/conversations/${id}`);
  assert.equal((await open(token)).status, 404);

  const { id: group, key } = await workspace();
  const { json: theirs } = await call('POST', '/v1/conversations', {}, { key });
  const { json } = await call('POST', `/v1/conversations/${theirs.id}/share`, undefined, { key });
  assert.equal((await open(json.public_access_token)).status, 200);
  await call('DELETE', `/v1/admin/groups/${group}`);
  assert.equal((await open(json.public_access_token)).status, 404);
});

test('a token opens its own conversation and nothing else', async () => {
  const [one, two] = [await start({ name: 'one' }), await start({ name: 'two' })];
  const [first, second] = [await share(one.id), await share(two.id)];
  assert.deepEqual([(await open(first)).json.name, (await open(second)).json.name], ['one', 'two']);
  for (const wrong of [
    one.id,
    `${first}x`,
    first.slice(1),
    first.toLowerCase(),
    'x',
    '%00',
    '..%2f',
    'x'.repeat(300),
  ]) {
    const { status, json } = await open(wrong);
    assert.deepEqual([status, json.code], [404, 'not_found'], wrong);
  }
  for (const headers of [{ 'x-api-key': first }, { authorization: `Bearer ${first}` }] as Record<string, string>[])
    assert.equal((await call('GET', `/v1/conversations/${one.id}`, undefined, { key: null, headers })).status, 401);
  const { json } = await call('GET', `/v1/public/conversations/${first}`, undefined, {
    key: null,
    headers: { 'x-workspace-id': two.group_id, 'x-api-key': 'nonsense' },
  });
  assert.equal(json.name, 'one');
});

const shareWith = (id: string, terms: object) => call('POST', `/v1/conversations/${id}/share`, terms);
const inFuture = () => new Date(Date.now() + 3_600_000).toISOString();

test('a link ends at its end date, and sharing again makes another without end', async () => {
  const { id } = await start();
  const expires_at = inFuture();
  const { status, json } = await shareWith(id, { expires_at });
  assert.deepEqual([status, json.public_access_expires_at, json.public_access_read_only], [200, expires_at, false]);
  const token = json.public_access_token;
  assert.equal(await share(id), token);
  assert.equal((await call('GET', `/v1/conversations/${id}`)).json.public_access_expires_at, expires_at);
  assert.equal((await open(token)).status, 200);

  await query("update conversations set public_until = now() - interval '1 second' where id = $1", [id]);
  const ended = await open(token);
  assert.deepEqual([ended.status, ended.json.code], [404, 'not_found']);
  const post = await call('POST', `/v1/public/conversations/${token}/stream`, { content: 'x' }, { key: null });
  assert.equal(post.status, 404);
  assert.equal((await call('GET', `/v1/conversations/${id}`)).json.public_access_token, null);

  const again = (await shareWith(id, {})).json;
  assert.notEqual(again.public_access_token, token);
  assert.equal(again.public_access_expires_at, null);
  assert.equal((await open(token)).status, 404);
  assert.equal((await open(again.public_access_token)).status, 200);
});

test('the end of a link is moved and taken away, and must be in the future', async () => {
  const { id } = await start();
  const past = await shareWith(id, { expires_at: '2020-01-01T00:00:00Z' });
  assert.deepEqual([past.status, past.json.detail[0].loc], [422, ['body', 'expires_at']]);
  const first = (await shareWith(id, { expires_at: inFuture(), read_only: true })).json;
  const second = (await shareWith(id, { expires_at: '' })).json;
  assert.equal(second.public_access_token, first.public_access_token);
  assert.deepEqual([second.public_access_expires_at, second.public_access_read_only], [null, true]);
  await call('DELETE', `/v1/conversations/${id}/share`);
  assert.equal((await shareWith(id, {})).json.public_access_read_only, false);
});

test('a guest of a link for reading only reads and sends nothing', async () => {
  const sent = await start({ settings: { model: ['atrium/extractive'] } });
  const said = await say(sent, 'assistant', 'hello');
  const token = (await shareWith(sent.id, { read_only: true })).json.public_access_token;
  const view = await open(token);
  assert.deepEqual([view.status, view.json.read_only, view.json.ui_messages.length], [200, true, 1]);
  const send = (path: string, body?: object) =>
    call('POST', `/v1/public/conversations/${token}/${path}`, body, { key: null });
  for (const [path, body] of [
    ['stream', { content: 'x' }],
    ['feedback', { rating: 'up', message_id: said }],
  ] as const) {
    const refused = await send(path, body);
    assert.deepEqual([refused.status, refused.json.code], [403, 'link_read_only'], path);
  }
  assert.equal((await open(token)).json.ui_messages.length, 1);
  await shareWith(sent.id, { read_only: false });
  assert.equal((await send('stream', { content: 'x' })).status, 200);
});

test('a key that may not see the link sees neither its end nor that it is for reading only', async () => {
  const { id, group_id } = await start();
  await shareWith(id, { expires_at: inFuture(), read_only: true });
  const made = await call('POST', `/v1/admin/groups/${group_id}/api-keys`, {
    name: 'k',
    reach: 'workspace',
    permissions: ['agents_run'],
  });
  const key = made.json.value;
  const { json } = await call('GET', `/v1/conversations/${id}`, undefined, { key });
  assert.deepEqual(
    [json.public_access_token, json.public_access_expires_at, json.public_access_read_only],
    [null, null, false],
  );
  assert.equal((await call('POST', `/v1/conversations/${id}/share`, { read_only: false }, { key })).status, 403);
});
