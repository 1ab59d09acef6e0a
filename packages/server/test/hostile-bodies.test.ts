import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, listenOnSocket, told } from './support/socket-client.ts';
import { testApp } from './support/test-app.ts';
import { waitUntilRowIsBlocked } from './support/test-database.ts';

const { app, call, query, workspace } = await testApp();
const { send } = await listenOnSocket(app);
const groups = '/v1/admin/groups';

const surrogate = 'string_unicode';
const bodies: [name: string, body: string | Buffer, status: number, validationErrors: string[]][] = [
  ['200 000 brackets', '['.repeat(200_000), 422, ['body.64 json_invalid']],
  ['65 levels', `${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`, 422, ['body.320 json_invalid']],
  ['a NUL', '{"name": "a\\u0000b"}', 422, ['body.name string_nul']],
  ['a NUL in a key', '{"name": "a", "b\\u0000": 1}', 422, ['body.b\ufffd string_nul']],
  ['a lone surrogate', '{"name": "\\ud800"}', 422, [`body.name ${surrogate}`]],
  ['a lone low surrogate', '{"name": "\\udc00\\ud83d"}', 422, [`body.name ${surrogate}`]],
  ['__proto__', '{"name": "a", "__proto__": {"tenant_admin": true}}', 422, ['body.__proto__ extra_forbidden']],
  ['constructor', '{"name": "a", "constructor": {"prototype": {}}}', 422, ['body.constructor extra_forbidden']],
  ['a key twice', '{"name": "a", "name": "b"}', 422, ['body.name duplicate_key']],
  ['a key twice, once escaped', '{"name": "a", "n\\u0061me": "b"}', 422, ['body.name duplicate_key']],
  ['broken JSON', '{"name": "a", ', 422, ['body.14 json_invalid']],
  ['a raw control character', '{"name": "a\nb"}', 422, ['body.11 json_invalid']],
  ['a byte order mark', '\ufeff{"name": "a"}', 422, ['body.0 json_invalid']],
  ['bytes that are no UTF-8', Buffer.from('7b226e616d65223a22ff227d', 'hex'), 422, ['body.9 json_invalid']],
  ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le'), 422, ['body.1 json_invalid']],
  ['NaN', '{"name": NaN}', 422, ['body.9 json_invalid']],
  ['an infinite number', '{"name": 1e999}', 422, ['body.name finite_number']],
  ['null', 'null', 422, ['body.name missing']],
  ['an empty body', '', 422, ['body missing']],
  ['a list', '[]', 422, ['body model_attributes_type']],
  ['a text', '"a"', 422, ['body model_attributes_type']],
  ['a number', '5', 422, ['body model_attributes_type']],
  [
    'every fault there is',
    '{"nope": 1, "description": []}',
    422,
    ['body.name missing', 'body.description string_type', 'body.nope extra_forbidden'],
  ],
];

for (const [name, body, status, validationErrors] of bodies)
  test(`a body of ${name} is refused with ${validationErrors[0]}`, async () => {
    const answer = await send('POST', groups, { body });
    assert.equal(answer.status, status);
    assert.deepEqual(told(answer), validationErrors);
  });

test('no body at all is one missing field', async () => {
  const { status, json: answer } = await send('POST', groups, { headers: {} });
  assert.equal(status, 422);
  assert.deepEqual(answer.detail, [{ loc: ['body'], msg: 'Field required', type: 'missing', input: null, ctx: {} }]);
});

test('answers 413 when a body is too large, with or without a content-length', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(10_000_000) });
  for (const headers of [
    { ...json, 'content-length': String(body.length) },
    { ...json, 'transfer-encoding': 'chunked' },
  ]) {
    const { status, json: answer } = await send('POST', groups, { body, headers });
    assert.deepEqual([status, answer.code], [413, 'too_large']);
  }
});

test('answers 401 to an invalid key before it reads a large or broken body', async () => {
  for (const body of ['{"name": ', JSON.stringify({ name: 'x'.repeat(10_000_000) })])
    assert.equal((await send('POST', groups, { body, key: 'wrong' })).status, 401);
});

const types: [type: string | undefined, status: number][] = [
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['Application/JSON;charset="UTF-8"', 200],
  ['application/vnd.api+json', 200],
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/json; charset=utf-16', 415],
  ['application/jsonp', 415],
  ['nonsense', 415],
  [undefined, 415],
];

test('a body that does not say it is JSON is 415', async () => {
  for (const [type, status] of types) {
    const answer = await send('POST', groups, {
      body: '{"name": "typed"}',
      headers: type === undefined ? {} : { 'content-type': type },
    });
    assert.equal(answer.status, status, String(type));
    if (status === 415) assert.equal(answer.json.code, 'unsupported_media_type', String(type));
  }
});

test('an operation that takes no body does not care what came with it', async () => {
  for (const [type] of types) {
    const { id } = await workspace();
    const headers = type === undefined ? {} : { 'content-type': type };
    assert.equal((await send('DELETE', `${groups}/${id}`, { body: '{"broken', headers })).status, 200, String(type));
    assert.equal((await send('GET', '/v1/admin/me', { headers })).status, 200, String(type));
  }
});

test('returns validation errors of the path and of a broken body in one response', async () => {
  const answer = await send('PATCH', `${groups}/not-a-uuid`, { body: '{"name"' });
  assert.equal(answer.status, 422);
  assert.deepEqual(told(answer), ['path.group_id uuid_parsing', 'body.7 json_invalid']);
});

/** Deletes a row in a transaction that commits when a request that has read the row blocks on writing to it. */
const deletedUnderHand = (table: string, id: string) => `do $$ begin
  delete from ${table} where id = '${id}';
  ${waitUntilRowIsBlocked}
end $$`;

test('answers 404 when the parent of a new record is deleted concurrently', async () => {
  const { id: group_id } = await workspace();
  const agent = (await call('POST', '/v1/agents', { name: 'a' })).json.id;
  const conversation = (await call('POST', `/v1/conversations?assistant_id=${agent}`, {})).json.id;
  const definition = { type: 'webhook' };
  const trigger = (await call('POST', `/v1/agents/${agent}/triggers`, { name: 't', definition })).json.id;
  const base = (await call('POST', '/v1/knowledge-bases', { name: 'b' })).json.id;
  const writes: [table: string, id: string, path: string, body: object][] = [
    ['workspaces', group_id, `${groups}/${group_id}/api-keys`, { name: 'k' }],
    ['conversations', conversation, `/v1/conversations/${conversation}/feedback`, { score: 3 }],
    ['triggers', trigger, `/v1/triggers/${trigger}/fire`, {}],
    ['knowledge_bases', base, `/v1/knowledge-bases/${base}/sites`, { url: 'https://example.com/' }],
  ];
  for (const [table, id, path, body] of writes) {
    let over = false;
    const deleting = query(deletedUnderHand(table, id)).finally(() => {
      over = true;
    });
    const begun = `select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
    while (!over && (await query(begun)).length === 0);
    const [{ status, json: answer }] = await Promise.all([call('POST', path, body), deleting]);
    assert.deepEqual([status, answer.code], [404, 'not_found'], path);
  }
});
