import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { requestOf } from './build-request.ts';

const asked: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
const target = createServer(async (request, response) => {
  asked.push({
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body: await text(request),
  });
  if (request.url === '/big') return void response.end('x'.repeat(2 * 1024 * 1024));
  if (request.url === '/away') return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  if (request.url === '/moved') return void response.writeHead(302, { location: '/new?x=1' }).end();
  const json = JSON.stringify({ echo: request.headers['authorization'] ?? null });
  response.writeHead(request.url?.includes('/missing') ? 404 : 200, { 'content-type': 'application/json' }).end(json);
});
await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready));
after(() => target.close());
const base = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;

const app = await scriptedApp({ web_allow: ['127.0.0.1'] });
const { server: model, name: account } = await app.provider();
const secret = 'action-secret-0123456789';
const variable = (await app.call('POST', '/v1/variables', { name: 'KEY', inline_value: secret, is_secret: true })).json
  .id;

async function calling(own: object, ...calls: [tool: string, input: object][]) {
  const settings = { model: [`${account}/one`], pii_anonimization: [], parallel_tool_calls: false, ...own };
  const tool_calls = calls.map(([tool, input], index) => ({ id: `c${index}`, name: tool, input }));
  model.reply({ tool_calls }, { text: 'Done' });
  const { status } = await app.ask({ variables_enabled: true, variables: [variable], ...settings });
  assert.equal(status, 'completed');
  return (model.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));
}

test('sends the requests that settings describe, with arguments and secrets filled in', async () => {
  const action = {
    ...{
      name: 'Add order',
      description: 'Adds an order',
      method: 'POST',
      url: `${base}/orders/{{customer}}?by={{ by }}`,
    },
    headers: { Authorization: 'Bearer {{secret.KEY}}', 'X-Note': 'for {{customer}}' },
    body: { what: '{{what}}', count: '{{count}}', text: 'n={{count}}', fixed: true },
    input_schema: {
      type: 'object',
      properties: { customer: { type: 'string' }, by: { type: 'string' }, what: {}, count: { type: 'integer' } },
      required: ['customer', 'count'],
    },
  };
  const input = { customer: 'a/b?c#é', by: 'x&y=1', what: ['"', '{{secret.KEY}}'], count: 3 };
  const [done, refused] = await calling(
    { actions: [action] },
    ['action_Add_order', input],
    ['action_Add_order', { customer: 'x', count: 'many' }],
  );
  const { url, headers, body, method } = asked.at(-1) as (typeof asked)[number];
  assert.deepEqual([method, url], ['POST', '/orders/a%2Fb%3Fc%23%C3%A9?by=x%26y%3D1']);
  assert.deepEqual([headers['authorization'], headers['content-type']], [`Bearer ${secret}`, 'application/json']);
  // Templates in arguments of a model are never filled in.
  assert.deepEqual(JSON.parse(body), { what: ['"', '{{secret.KEY}}'], count: 3, text: 'n=3', fixed: true });
  assert.deepEqual(done, { status: 200, content_type: 'application/json', body: { echo: 'Bearer {{secret.KEY}}' } });
  assert.match(refused.error, /count: should be integer/);
  assert.ok(!JSON.stringify(model.requests.map((one) => one.body)).includes(secret));
  assert.ok(!app.logged.join('').includes(secret));
});

test('puts arguments without a slot into the query or the body; entries of tools work the same', async () => {
  const tools = [{ type: 'action', name: 'find', url: `${base}/find`, input_schema: { type: 'object' } }];
  const actions = [{ name: 'put', url: `${base}/put`, method: 'PUT', input_schema: { type: 'object' } }];
  await calling({ tools, actions }, ['action_find', { q: 'a b', n: 2 }], ['action_put', { a: { b: 1 } }]);
  assert.deepEqual(
    asked.slice(-2).map(({ method, url, body }) => [method, url, body]),
    [
      ['GET', '/find?q=a+b&n=2', ''],
      ['PUT', '/put', '{"a":{"b":1}}'],
    ],
  );
});

test('fills values of a conversation into a path, but never into the address that a secret goes to', async () => {
  const host = base.slice('http://'.length);
  const place = (await app.call('POST', '/v1/variables', { name: 'place', inline_value: host })).json.id;
  const headers = { authorization: '{{secret.KEY}}' };
  const actions = ['http://{{place}}/{{path}}', 'http://{{free}}/x', '{{ whole }}/x', `${base}{{port}}/x`].map(
    (url, index) => ({ name: `to${index}`, url, headers }),
  );
  const settings = { model: [`${account}/one`], pii_anonimization: [], actions };
  const listed = { variables_enabled: true, variables: [variable, place] };
  const variables = { place: 'evil.example', path: 'own', free: host, whole: base, port: '.evil.example' };
  const { json } = await app.call('POST', '/v1/conversations', {
    name: 'test',
    settings: { ...settings, ...listed },
    variables,
  });
  const before = asked.length;
  // A slot that is not filled is an argument, which can't change the address either.
  const inputs = [{}, { free: host }, { whole: base }, { port: '.evil.example' }];
  const tool_calls = actions.map(({ name }, index) => ({
    id: name,
    name: `action_${name}`,
    input: inputs[index] ?? {},
  }));
  model.reply({ tool_calls }, { text: 'Done' });
  await app.say(json.id);
  assert.deepEqual(
    asked.slice(before).map(({ url }) => url),
    ['/own'],
  );
  const told = (model.last().body.messages as { role: string; content: string }[]).filter(
    ({ role }) => role === 'tool',
  );
  assert.deepEqual(
    told.map(({ content }) => /does not name its host outright/.test(content)),
    [false, true, true, true],
  );
});

test("reaches only the action's own host, and limits the size of the answer", async () => {
  const at = (name: string, url: string) => ({ name, url });
  const actions = [
    at('open', 'http://{{host}}/x'),
    at('user', `${base.replace('127.0.0.1', '{{a}}@127.0.0.1')}/x`),
    at('path', `${base}/users/{{id}}/delete`),
    at('big', `${base}/big`),
    at('away', `${base}/away`),
    at('moved', `${base}/moved`),
    at('missing', `${base}/missing`),
  ];
  const before = asked.length;
  const [open, user, path, big, away, moved, missing] = await calling(
    { actions },
    ['action_open', { host: '127.0.0.1' }],
    ['action_user', { a: 'x' }],
    ['action_path', { id: '..' }],
    ['action_big', {}],
    ['action_away', {}],
    ['action_moved', {}],
    ['action_missing', {}],
  );
  for (const one of [open, user]) assert.match(one.error, /does not name its host outright/);
  assert.match(path.error, /another path/);
  assert.match(big.error, /^The request was made, but its answer can not be read: it is larger than the 1 MB/);
  assert.equal(away.status, 302);
  assert.equal(moved.status, 200);
  assert.equal(missing.status, 404);
  assert.deepEqual(
    asked.slice(before).map(({ url }) => url),
    ['/big', '/away', '/moved', '/new?x=1', '/missing'],
  );
});

test('says whether a request without an answer may have had its effect', async () => {
  const breaking = createServer((request) => void request.socket.destroy());
  await new Promise<void>((ready) => breaking.listen(0, '127.0.0.1', ready));
  const { port } = breaking.address() as AddressInfo;
  const action = { name: 'Order', method: 'POST', url: `http://127.0.0.1:${port}/orders` };
  const [broken] = await calling({ actions: [action] }, ['action_Order', {}]);
  assert.match(broken.error, /may or may not have had its effect/);
  await new Promise((closed) => breaking.close(closed));
  const [refused] = await calling({ actions: [action] }, ['action_Order', {}]);
  assert.match(refused.error, /^The request was not made: its server could not be reached/);
});

test('keeps any argument within its slot', () => {
  const entry = {
    ...{ name: 'x', method: 'POST' as const, url: 'https://api.example.com/a/{{v}}/b?q={{v}}' },
    body: '{"text": "{{v}}", "value": {{v}}, "among \\" others": "for {{v}}, {{secret.S}}", "last": "{{secret.S}}"}',
  };
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (v, s) => {
      let made: ReturnType<typeof requestOf>;
      try {
        made = requestOf(entry, { v }, () => s);
      } catch {
        return assert.match(v, /^\.{1,2}$/);
      }
      assert.equal(made.url.origin, 'https://api.example.com');
      assert.equal(made.url.pathname.split('/').length, 4);
      assert.deepEqual([...made.url.searchParams.keys()], ['q']);
      assert.equal(made.url.searchParams.get('q'), v.toWellFormed());
      const parsed = JSON.parse(made.body ?? '');
      assert.deepEqual(parsed, { text: v, value: v, 'among " others': `for ${v}, ${s}`, last: s });
    }),
  );
});

test('names ATRIUM_WEB_ALLOW to callers who may change the agent, not to users of a link or weaker keys', async () => {
  const actions = [{ name: 'inside', description: 'x', method: 'GET', url: 'http://inside.example/' }];
  const settings = { model: [`${account}/one`], pii_anonimization: [], actions };
  /** A conversation whose settings got this address while the operator allowed it. */
  async function storedAt(host: string): Promise<string> {
    const stored = await app.converse(settings);
    const change = "update conversations set settings = replace(settings, 'inside.example', $2) where id = $1";
    await app.query(change, [stored, host]);
    return stored;
  }
  const script = () => model.reply({ tool_calls: [{ id: 'c', name: 'action_inside', input: {} }] }, { text: 'Done' });
  const told = () =>
    String(
      (model.last().body.messages as { role: string; content: string }[]).findLast(({ role }) => role === 'tool')
        ?.content,
    );
  script();
  const id = await storedAt('10.0.0.1');
  await app.say(id);
  assert.match(
    told(),
    /^.*The request was not made: .*private or reserved address, .*; the operator can list its host in ATRIUM_WEB_ALLOW/,
  );
  const { public_access_token: token } = (await app.call('POST', `/v1/conversations/${id}/share`)).json;
  script();
  const shared = await app.call('POST', `/v1/public/conversations/${token}/stream`, { content: 'Hi' }, { key: null });
  assert.equal(shared.status, 200, shared.text);
  assert.match(told(), /private or reserved address/);
  assert.doesNotMatch(told() + shared.text, /ATRIUM_WEB_ALLOW/);
  const { group_id } = (await app.call('GET', '/v1/admin/me')).json;
  const { value: weak } = (
    await app.call('POST', `/v1/admin/groups/${group_id}/api-keys`, {
      name: 'weak',
      reach: 'workspace',
      permissions: ['agents_run'],
    })
  ).json;
  assert.ok(weak);
  script();
  const asked = await app.call('POST', `/v1/conversations/${id}`, { content: 'Hi' }, { key: weak });
  assert.equal(asked.status, 200, asked.text);
  assert.match(told(), /private or reserved address/);
  assert.doesNotMatch(told(), /ATRIUM_WEB_ALLOW/);
  // A metadata service stays closed, so there is nothing to advise.
  script();
  await app.say(await storedAt('169.254.169.254'));
  assert.match(told(), /private or reserved address/);
  assert.doesNotMatch(told(), /ATRIUM_WEB_ALLOW/);
});
