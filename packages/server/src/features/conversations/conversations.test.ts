import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';

const testing = await testApp();
const { call, query, workspace } = testing;

const made = async (body: unknown = {}, search = '') => {
  const { status, json, text } = await call('POST', `/v1/conversations${search}`, body);
  assert.equal(status, 200, text);
  return json;
};
const agent = async (definition: object = {}) => (await call('POST', '/v1/agents', { name: 'A', definition })).json;
const nobody = randomUUID();

test('a new conversation has every documented field with its default', async () => {
  const { id, api_key_id, group_id, created_at, last_updated_at, etag, settings, ...rest } = await made();
  for (const uuid of [id, api_key_id, group_id]) assert.match(uuid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  for (const time of [created_at, last_updated_at]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.match(etag, /^\d+-\d+$/);
  // Those of the contract, four_eyes and allowed_hosts.
  assert.equal(Object.keys(settings).length, 154);
  assert.deepEqual(rest, {
    user_id: null,
    created_by: api_key_id,
    created_by_actor: { id: api_key_id, name: 'Admin key (environment)', kind: 'service_account_key' },
    name: null,
    assistant_id: null,
    status: 'queued',
    manual: false,
    preview: false,
    assistant_version_id: null,
    chat_transport: null,
    channel_ref: null,
    deployment_id: null,
    public_access_token: null,
    public_access_expires_at: null,
    public_access_read_only: false,
    shared_access: null,
    tags: [],
    todos: [],
    is_locked: false,
    message_count: 0,
    lock_message: null,
    may: { edit: true, delete: true, send: true, share: true, lock: true, unlock: true, reply: true },
    messages: [],
    ui_messages: [],
  });
});

test('a conversation can be made without a body, with an empty one and with nulls', async () => {
  for (const body of [
    undefined,
    {},
    { name: null, settings: null, preview: null, assistant_version_id: null, variables: null },
  ]) {
    const { name, preview } = await made(body);
    assert.deepEqual([name, preview], [null, false]);
  }
});

test('it records the key that made it', async () => {
  const { id, key } = await workspace();
  const { json } = await call('POST', '/v1/conversations', {}, { key });
  const { json: me } = await call('GET', '/v1/admin/me', undefined, { key });
  assert.deepEqual([json.api_key_id, json.group_id, json.user_id], [me.id, id, null]);
});

test('answers the fields that were sent, also when it is read later', async () => {
  const sent = await made({ name: 'Return of order 1042', settings: { temperature: 0.2 }, preview: 'true' });
  assert.deepEqual([sent.name, sent.settings.temperature, sent.preview], ['Return of order 1042', 0.2, true]);
  assert.deepEqual((await call('GET', `/v1/conversations/${sent.id}`)).json, sent);
});

test('the settings of an agent hold below those sent along', async () => {
  const { id, version_id } = await agent({ temperature: 0.1, top_k: 7, persona: 'calm' });
  const { assistant_id, assistant_version_id, settings } = await made(
    { settings: { top_k: 8 } },
    `?assistant_id=${id}`,
  );
  assert.deepEqual([assistant_id, assistant_version_id], [id, version_id]);
  const inBody = await made({ assistant_id: id, settings: { temperature: 0.9 } });
  assert.deepEqual([inBody.assistant_id, inBody.assistant_version_id, inBody.settings.top_k], [id, version_id, 7]);
  assert.equal((await made({ assistant_id: id.toUpperCase() }, `?assistant_id=${id}`)).assistant_id, id);
  const { key } = await workspace();
  const { json: theirs } = await call('POST', '/v1/agents', { name: 'B' }, { key });
  const other = { assistant_id: theirs.id };
  const { status, json } = await call('POST', `/v1/conversations?assistant_id=${id}`, other);
  assert.deepEqual([status, json.detail[0].loc, json.detail[0].input], [422, ['body', 'assistant_id'], theirs.id]);
  assert.equal((await call('POST', '/v1/conversations', other)).status, 404);
  assert.deepEqual([settings.temperature, settings.top_k, settings.persona[0].text], [0.1, 8, 'calm']);
});

test('an invalid request gets all validation errors', async () => {
  const body = { name: 5, settings: [], preview: 'maybe', assistant_version_id: 'x', variables: [], extra: 1 };
  const { status, json } = await call('POST', '/v1/conversations?assistant_id=nope', body);
  assert.equal(status, 422);
  const found = json.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')}: ${type}`);
  assert.deepEqual(found, [
    'query.assistant_id: uuid_parsing',
    'body.name: string_type',
    'body.settings: model_attributes_type',
    'body.preview: bool_parsing',
    'body.assistant_version_id: uuid_parsing',
    'body.variables: dict_type',
    'body.extra: extra_forbidden',
  ]);
});

test('an agent that is unknown, deleted or of another workspace is 404', async () => {
  const { id: gone } = await agent();
  await call('DELETE', `/v1/agents/${gone}`);
  const { key } = await workspace();
  const { json: theirs } = await call('POST', '/v1/agents', { name: 'B' }, { key });
  const answers = [nobody, gone, theirs.id].map((id) => call('POST', `/v1/conversations?assistant_id=${id}`, {}));
  for (const { status, json } of await Promise.all(answers))
    assert.deepEqual([status, json], [404, { detail: 'No such agent', code: 'not_found' }]);
});

test('a version of another agent, of another workspace or of none is 404', async () => {
  const [own, other] = [await agent(), await agent()];
  const { key } = await workspace();
  const { json: theirs } = await call('POST', '/v1/agents', { name: 'B' }, { key });
  for (const assistant_version_id of [other.version_id, theirs.version_id, nobody]) {
    const { status } = await call('POST', `/v1/conversations?assistant_id=${own.id}`, { assistant_version_id });
    assert.equal(status, 404);
  }
  const alone = await made({ assistant_version_id: own.version_id });
  assert.equal(alone.assistant_id, own.id);
});

test('the variables of a conversation are sealed at rest and never answered', async () => {
  const sent = await made({ variables: { city: 'Oslo-in-the-open', deep: { list: [1] } } });
  const [{ variables }] = await query('select variables from conversations where id = $1', [sent.id]);
  assert.match(variables, /^box1\./);
  const [{ count }] = await query(
    "select count(*)::int as count from conversations c where c::text like '%Oslo-in-the-open%'",
  );
  assert.equal(count, 0);
  assert.equal((await call('GET', `/v1/conversations/${sent.id}`)).text.includes('Oslo-in-the-open'), false);
});

test('a patch merges settings by key and leaves what it does not name', async () => {
  const sent = await made({ name: 'N', settings: { temperature: 0.2, top_k: 5, stop_sequences: ['a', 'b'] } });
  const patch = { settings: { top_k: 6, stop_sequences: ['c'], temperature: null }, manual: true };
  const { json } = await call('PATCH', `/v1/conversations/${sent.id}`, patch);
  assert.deepEqual([json.name, json.manual, json.settings.temperature], ['N', true, 0.2]);
  assert.deepEqual([json.settings.top_k, json.settings.stop_sequences], [6, ['c']]);
  assert.ok(json.last_updated_at >= sent.last_updated_at);
});

test('a patch of nothing, of nulls or of what is already so changes nothing', async () => {
  const sent = await made({ name: 'N', settings: { temperature: 0.2 } });
  const bodies = [{}, undefined, { name: null, settings: null, manual: null, assistant_version_id: null }];
  for (const body of [
    ...bodies,
    { settings: {} },
    { settings: { temperature: null } },
    { name: 'N', settings: { temperature: 0.2 } },
  ]) {
    const { status, json } = await call('PATCH', `/v1/conversations/${sent.id}`, body);
    assert.equal(status, 200);
    assert.deepEqual(json, sent);
  }
});

test('of fifty changes at once each gets an etag of its own, rising', async () => {
  const { id, etag } = await made();
  const changes = Array.from({ length: 50 }, (_, n) => call('PATCH', `/v1/conversations/${id}`, { name: `n${n}` }));
  const etags = (await Promise.all(changes)).map(({ json }) => json.etag as string);
  assert.equal(new Set([etag, ...etags]).size, 51);
  const rank = (text: string) => text.split('-').map(Number) as [number, number];
  const sorted = [...etags].sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1]);
  const { json } = await call('GET', `/v1/conversations/${id}`);
  assert.equal(json.etag, sorted.at(-1));
  assert.ok(rank(sorted[0] as string)[0] >= rank(etag)[0]);
});

test('fifty patches of different settings at once all hold', async () => {
  const { id } = await made();
  const names = 'intro divider divider1 divider2 divider3 pii_info pii_banner guardrail_info'.split(' ');
  await Promise.all(names.map((name) => call('PATCH', `/v1/conversations/${id}`, { settings: { [name]: name } })));
  const { json } = await call('GET', `/v1/conversations/${id}`);
  for (const name of names) assert.equal(json.settings[name], name);
});

test('a deleted conversation is gone with its messages, also when its agent went before', async () => {
  const { id: assistant_id } = await agent({ temperature: 0.3 });
  const { id } = await made({}, `?assistant_id=${assistant_id}`);
  await call('DELETE', `/v1/agents/${assistant_id}`);
  const { json } = await call('GET', `/v1/conversations/${id}`);
  assert.deepEqual([json.settings.temperature, json.assistant_id], [0.3, assistant_id]);
  const gone = await call('DELETE', `/v1/conversations/${id}`);
  assert.deepEqual([gone.status, gone.json], [200, { success: true }]);
  for (const method of ['GET', 'DELETE']) assert.equal((await call(method, `/v1/conversations/${id}`)).status, 404);
});
