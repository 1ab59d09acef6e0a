import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testApp } from '../../test/support/test-app.ts';
import { as, makePeopleIn } from '../features/people/testing.ts';
import { makeCounters } from '../lib/counters/make-counters.ts';
import { makeRequestLimits } from './request-limits.ts';

const app = await testApp({ requests_per_minute: 0, failed_keys_per_address: 5, trusted_proxies: ['127.0.0.9'] });

/** On a busy machine a test takes seconds, in which further requests would be allowed. */
const freezeClock = (t: TestContext) => t.mock.timers.enable({ apis: ['Date'], now: Date.now() });

/** A request from an address of its own. */
async function ask(key: string | null, remoteAddress: string, headers: Record<string, string> = {}) {
  const answer = await app.app.server.inject({
    ...{ url: '/v1/admin/me', remoteAddress, headers: { ...(key !== null && { 'x-api-key': key }), ...headers } },
  });
  return { status: answer.statusCode, headers: answer.headers, json: answer.json() };
}

async function keyWith(body: object, key = app.admin, group?: string) {
  const { id } = group ? { id: group } : await app.workspace();
  const made = await app.call('POST', `/v1/admin/groups/${id}/api-keys`, { name: 'k', ...body }, { key });
  return { ...made, group: id, value: made.json.value as string };
}

test('a key with a rate_limit gets 429 with Retry-After and RateLimit headers for the one too many, other keys do not', async (t) => {
  freezeClock(t);
  const { value, json } = await keyWith({ rate_limit: 3 });
  assert.equal(json.rate_limit, 3);
  for (let count = 0; count < 3; count++) assert.equal((await ask(value, '10.0.0.1')).status, 200);
  const refused = await ask(value, '10.0.0.2');
  assert.deepEqual([refused.status, refused.json.code], [429, 'rate_limited']);
  assert.equal(refused.headers['ratelimit-limit'], '3');
  assert.equal(refused.headers['ratelimit-remaining'], '0');
  assert.equal(refused.headers['retry-after'], '20');
  assert.equal((await ask(app.admin, '10.0.0.1')).status, 200);
  t.mock.timers.tick(20_000);
  assert.equal((await ask(value, '10.0.0.1')).status, 200, 'one more every twenty seconds');
  assert.equal((await ask(value, '10.0.0.1')).status, 429);
});

test('every answer to a limited key says in RateLimit headers what is left, and none to a key without a limit', async (t) => {
  freezeClock(t);
  const { value } = await keyWith({ rate_limit: 10 });
  for (const left of [9, 8]) {
    const { headers } = await ask(value, '10.0.0.3');
    assert.equal(headers['ratelimit-policy'], '"requests";q=10;w=60');
    assert.match(String(headers['ratelimit']), new RegExp(`^"requests";r=${left};t=\\d+$`));
  }
  const missing = await app.call('GET', '/v1/agents/00000000-0000-7000-8000-000000000000', undefined, { key: value });
  assert.deepEqual([missing.status, missing.headers['ratelimit-policy']], [404, '"requests";q=10;w=60']);
  const init = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const accept = { accept: 'application/json, text/event-stream' };
  const mcp = await app.call('POST', '/mcp', init, { key: value, headers: accept });
  assert.match(String(mcp.headers['ratelimit']), /^"requests";r=6;t=/);
  for (let count = 0; count < 6; count++) await ask(value, '10.0.0.3');
  const refused = await ask(value, '10.0.0.3');
  assert.deepEqual([refused.status, refused.headers['ratelimit-policy']], [429, '"requests";q=10;w=60']);
  assert.match(String(refused.headers['ratelimit']), /^"requests";r=0;t=(5[0-9]|60)$/);
  const { headers } = await ask((await keyWith({})).value, '10.0.0.3');
  assert.deepEqual([headers['ratelimit'], headers['ratelimit-policy']], [undefined, undefined]);
});

test('a limited key can neither make nor rotate a faster one', async () => {
  const limited = await keyWith({ rate_limit: 50 });
  const made = await keyWith({ rate_limit: 9000 }, limited.value, limited.group);
  const unlimited = await keyWith({}, limited.value, limited.group);
  assert.deepEqual([made.json.rate_limit, unlimited.json.rate_limit], [50, 50]);
  const free = await keyWith({}, app.admin, limited.group);
  const path = `/v1/admin/groups/${limited.group}/api-keys/${free.json.id}/rotate`;
  assert.equal((await app.call('POST', path, {}, { key: limited.value })).status, 403);
});

test('wrong keys from one address are slowed with a growing Retry-After, and no other address is', async (t) => {
  freezeClock(t);
  const statuses: number[] = [];
  const waits: number[] = [];
  for (let count = 0; count < 8; count++) {
    const { status, headers } = await ask(`wrong-${count}`, '10.1.1.1');
    statuses.push(status);
    if (status === 429) waits.push(Number(headers['retry-after']));
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429]);
  assert.deepEqual(waits, [2, 4, 8]);
  assert.equal((await ask('wrong', '10.1.1.2')).status, 401);
  // Without any key nothing was guessed.
  assert.equal((await ask(null, '10.1.1.1')).status, 401);
});

test('a right key works from an address that sends wrong ones, also one that was never seen before', async (t) => {
  freezeClock(t);
  for (let count = 0; count < 7; count++) await ask(`wrong-${count}`, '10.2.2.2');
  assert.equal((await ask(app.admin, '10.2.2.2')).status, 200);
  const { value } = await keyWith({});
  assert.equal((await ask(value, '10.2.2.2')).status, 200);
});

test('a flood of wrong keys is refused unchecked, and a known key is not delayed', async (t) => {
  freezeClock(t);
  for (let count = 0; count < 6; count++) await ask(`wrong-${count}`, '10.3.3.3');
  const flood = Array.from({ length: 30 }, (_, at) => ask(`flood-${at}`, '10.3.3.3'));
  assert.equal((await ask(app.admin, '10.3.3.3')).status, 200);
  for (const { status } of await Promise.all(flood)) assert.equal(status, 429);
});

test('the address of a client behind a trusted proxy counts, not one that a client claims itself', async (t) => {
  freezeClock(t);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  for (let count = 0; count < 7; count++) await ask(`wrong-${count}`, '127.0.0.9', from('10.4.4.4'));
  assert.equal((await ask('wrong', '127.0.0.9', from('10.4.4.4'))).status, 429);
  assert.equal((await ask('wrong', '127.0.0.9', from('10.4.4.5'))).status, 401);
  for (let count = 0; count < 6; count++) await ask('wrong', '10.5.5.5', from(`10.6.6.${count}`));
  assert.equal((await ask('wrong', '10.5.5.5', from('10.6.6.99'))).status, 429);
});

test('an IPv6 address is counted by its network', async (t) => {
  freezeClock(t);
  for (let count = 0; count < 6; count++) await ask('wrong', `2001:db8:1:2::${count + 1}`);
  assert.equal((await ask('wrong', '2001:db8:1:2:ffff::1')).status, 429);
  assert.equal((await ask('wrong', '2001:db8:1:3::1')).status, 401);
});

const limited = await testApp({ requests_per_minute: 2 });

test('every person is held to ATRIUM_REQUESTS_PER_MINUTE', async (t) => {
  freezeClock(t);
  let token = '';
  await limited.app.showClaim(async (printed) => {
    token = printed;
  });
  const claim = { token, name: 'Ada', email: 'ada@example.com', password: 'a long password' };
  const { headers } = await limited.call('POST', '/v1/auth/claim', claim, { key: null });
  const cookie = String(headers['set-cookie']).split(';')[0] as string;
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++)
    statuses.push((await limited.call('GET', '/v1/admin/me', undefined, { key: null, headers: { cookie } })).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});

test('every key is held to ATRIUM_REQUESTS_PER_MINUTE, on /mcp too', async (t) => {
  freezeClock(t);
  const { key } = await limited.workspace();
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++)
    statuses.push((await limited.call('POST', '/mcp', body, { key, headers: { accept: 'application/json' } })).status);
  assert.equal(statuses.at(-1), 429);
  assert.ok(!statuses.slice(0, 2).includes(429));
});

test('only an administrator of the organization gives a key or a person more requests than the server does', async () => {
  const server = await testApp({ requests_per_minute: 9000 });
  const { id, key } = await server.workspace(['workspace_admin', 'workspace_write']);
  const own = (await server.call('GET', '/v1/admin/me', undefined, { key })).json.id;
  const keys = `/v1/admin/groups/${id}/api-keys`;
  const limit = (rate_limit: number, by?: string) =>
    server.call('PATCH', `${keys}/${own}`, { rate_limit }, by === undefined ? {} : { key: by });
  for (const refused of [
    await limit(9001, key),
    await server.call('POST', keys, { name: 'fast', rate_limit: 9001 }, { key }),
  ])
    assert.deepEqual([refused.status, refused.json.code], [403, 'forbidden']);
  assert.equal((await limit(9001)).json.rate_limit, 9001);
  const { headers } = await server.call('GET', '/v1/admin/me', undefined, { key });
  assert.equal(headers['ratelimit-policy'], '"requests";q=9001;w=60');
  assert.equal((await limit(100, key)).json.rate_limit, 100, 'a lower one');

  const { aMember } = await makePeopleIn(server);
  const person = await aMember('Editor');
  const about = `/v1/admin/users/${person.id}`;
  const mine = () => server.call('GET', '/v1/admin/me', undefined, as(person.cookie));
  assert.equal((await mine()).headers['ratelimit-policy'], '"requests";q=9000;w=60');
  assert.equal((await server.call('PATCH', about, { rate_limit: 20_000 }, as(person.cookie))).status, 403);
  assert.equal((await server.call('PATCH', about, { rate_limit: 20_000 })).json.rate_limit, 20_000);
  assert.equal((await mine()).headers['ratelimit-policy'], '"requests";q=20000;w=60');
});

test('refuses a flood beyond a high limit without asking another process for its counters', async () => {
  const asked: string[] = [];
  const counters = {
    ...makeCounters(),
    takeToken: (key: string) => {
      asked.push(key);
      return 1;
    },
  };
  const limits = makeRequestLimits({ requests_per_minute: 30_000, failed_keys_per_address: 0, counters });
  const caller = { actor: { kind: 'api_key' as const, id: 'k', name: 'k' } };
  const flood = () => {
    for (let count = 0; count < 60_000; count++) limits.count(caller);
  };
  assert.throws(flood, { code: 'rate_limited' });
  assert.ok(limits.count({ actor: { ...caller.actor, id: 'other' } }));
  assert.deepEqual(asked, []);
  await limits.count({ ...caller, rate_limit: 5 });
  assert.deepEqual(asked, ['requests k']);
});
