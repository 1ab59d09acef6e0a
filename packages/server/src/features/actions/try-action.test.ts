import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';

const asked: { method: string; url: string; body: string; token: string | undefined }[] = [];
const target = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request;
  asked.push({ method, url, body: await text(request), token: headers.authorization });
  if (url === '/long') return void response.end('x'.repeat(50_000));
  if (url === '/broken') return void request.socket.destroy();
  const json = JSON.stringify({ url, echo: headers.authorization ?? null });
  response.writeHead(url === '/missing' ? 404 : 200, { 'content-type': 'application/json' }).end(json);
});
await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready));
after(() => void target.close());
const base = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;

const app = await testApp({ web_allow: ['127.0.0.1'] });
const { call, query, logged } = app;
const secret = 'canary-of-a-tried-action';
const variable = (await call('POST', '/v1/variables', { name: 'KEY', inline_value: secret, is_secret: true })).json.id;
const ok = (answer: Awaited<ReturnType<typeof call>>) => {
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const agent = async (definition: object) => ok(await call('POST', '/v1/agents', { name: 'Desk', definition })).id;
const plain = await agent({});
const trying = (id: string, action: object, input?: object, options?: object) =>
  call('POST', `/v1/agents/${id}/actions/try`, { action, ...(input && { arguments: input }) }, options);
const home = ok(await call('GET', '/v1/admin/me')).group_id as string;
const keyWith = async (permissions: string[]) =>
  ok(await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'k', reach: 'workspace', permissions })).value;

test('sends the request of an unsaved action once and answers what came back', async () => {
  const action = { name: 'orders', method: 'POST', url: `${base}/orders/{{id}}`, body: { note: '{{note}}' } };
  const { ms, body, ...trial } = ok(await trying(plain, action, { id: 'a/1', note: 'hi' }));
  assert.deepEqual(trial, {
    ...{ success: true, message: null, status: 200, content_type: 'application/json', truncated: false },
  });
  assert.ok(ms >= 0);
  assert.deepEqual(JSON.parse(body), { url: '/orders/a%2F1', echo: null });
  assert.deepEqual(asked.at(-1), { method: 'POST', url: '/orders/a%2F1', body: '{"note":"hi"}', token: undefined });
  assert.deepEqual(ok(await call('GET', `/v1/agents/${plain}`)).definition.actions, [], 'nothing is saved');
  assert.equal(ok(await trying(plain, { name: 'x', url: `${base}/missing` })).status, 404);
});

test('shortens a long answer, and says why there is none', async () => {
  const long = ok(await trying(plain, { name: 'x', url: `${base}/long` }));
  assert.deepEqual([long.body.length, long.truncated], [10_000, true]);
  const broken = ok(await trying(plain, { name: 'x', method: 'POST', url: `${base}/broken` }));
  assert.deepEqual([broken.success, broken.status, broken.body], [false, null, null]);
  assert.match(broken.message, /may or may not have had its effect/);
});

test('reaches no private address that the operator does not allow, and no host outside allowed_hosts', async () => {
  const before = asked.length;
  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]/'])
    assert.match(ok(await trying(plain, { name: 'x', url })).message, /^The request was not made: .*private/, url);
  const narrow = await agent({ allowed_hosts: ['api.example.com'] });
  assert.match(ok(await trying(narrow, { name: 'x', url: base })).message, /allowed_hosts/);
  assert.equal(asked.length, before);
});

test('puts the error of an argument beside its name', async () => {
  const input_schema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
  const wrong = await trying(plain, { name: 'x', url: base, input_schema }, { count: 'many' });
  assert.deepEqual([wrong.status, wrong.json.detail[0].loc], [422, ['body', 'arguments', 'count']]);
});

test('fills in secrets of the agent for callers that may read variables, and shows them nowhere', async () => {
  const action = { name: 'x', url: `${base}/a`, headers: { Authorization: 'Bearer {{secret.KEY}}' } };
  const listing = await agent({ variables_enabled: true, variables: [variable] });
  const done = await trying(listing, action);
  assert.equal(asked.at(-1)?.token, `Bearer ${secret}`);
  assert.match(ok(done).body, /Bearer \{\{secret\.KEY\}\}/);
  const before = asked.length;
  const editor = await keyWith(['agents_edit', 'agents_run']);
  const refused = await trying(listing, action, undefined, { key: editor });
  assert.deepEqual([refused.status, refused.json.code], [403, 'setting_forbidden']);
  assert.match(ok(await trying(plain, action)).message, /may not use a variable named KEY/);
  assert.equal(asked.length, before);
  const rows = JSON.stringify(await query('select * from audit_log'));
  assert.match(rows, /agents\.tryAction/);
  for (const shown of [done.text, refused.text, rows, logged.join('')]) assert.ok(!shown.includes(secret));
});

test('a stored credential behind a mask is sent to its own host only and covered in the answer', async () => {
  const token = 'Bearer stored-credential-0123456789';
  const stored = { name: 'x', url: `${base}/a`, headers: { Authorization: token } };
  const id = await agent({ actions: [stored] });
  const masked = { ...stored, headers: { Authorization: '********' } };
  const done = await trying(id, masked);
  assert.equal(ok(done).success, true);
  assert.equal(asked.at(-1)?.token, token);
  assert.ok(!done.text.includes('stored-credential'), done.text);
  const moved = await trying(id, { ...masked, url: 'https://elsewhere.example/a' });
  assert.equal(moved.status, 422, moved.text);
});

test('answers only callers with agents_edit, in the workspace of the agent', async () => {
  const action = { name: 'x', url: base };
  const before = asked.length;
  const runner = await keyWith(['agents_run']);
  assert.equal((await trying(plain, action, undefined, { key: runner })).status, 403);
  const other = await app.workspace(['agents_edit', 'agents_run']);
  assert.equal((await trying(plain, action, undefined, { key: other.key })).status, 404);
  const conversation = ok(await call('POST', `/v1/conversations?assistant_id=${plain}`, {}));
  const { public_access_token: token } = ok(await call('POST', `/v1/conversations/${conversation.id}/share`));
  assert.equal((await trying(plain, action, undefined, { key: token })).status, 401);
  assert.equal(asked.length, before);
});

test('a workspace tries 30 times a minute', async () => {
  const { key } = await app.workspace(['agents_edit', 'agents_run']);
  const own = ok(await call('POST', '/v1/agents', { name: 'A' }, { key })).id;
  const action = { name: 'x', url: `${base}/n` };
  const answers = await Promise.all(Array.from({ length: 31 }, () => trying(own, action, undefined, { key })));
  const limited = answers.filter(({ status }) => status === 429);
  assert.deepEqual([limited.length, limited[0]?.json.code], [1, 'rate_limited']);
});
