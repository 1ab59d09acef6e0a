import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeApp } from '../src/app.ts';
import { as, makePeopleIn } from '../src/features/people/testing.ts';
import { makeLog } from '../src/lib/log.ts';
import { makeAccountKey } from './support/account-key.ts';
import { scriptedApp } from './support/scripted-app.ts';
import { json, listenOnSocket } from './support/socket-client.ts';
import { testConfig } from './support/test-config.ts';
import { testServer } from './support/test-database.ts';

const testing = await scriptedApp();
const { call, provider, workspace, query } = testing;
const here = (await listenOnSocket(testing.app)).port;

/** Another node: the whole program once more on the same database. */
const [{ name: database }] = await query('select current_database() as name');
const other = await makeApp(testConfig('/nowhere'), { ...testServer(), database }, makeLog('silent'));
after(() => other.close());
const there = (await listenOnSocket(other)).port;
const nodes = [
  ['here', here],
  ['on another node', there],
] as const;

/** A reply that keeps its run going until a client stops it. */
const endless = { text: 'word and more', deltas: 2, held: { before: 'more', until: new Promise(() => {}) } };
const { name: account } = await provider(...Array.from({ length: 20 }, () => endless));

/** A workspace and a key to it. */
interface Caller {
  id: string;
  key: string;
}

async function conversationOf({ key }: Caller): Promise<string> {
  const settings = { model: [`${account}/one`] };
  return (await call('POST', '/v1/conversations', { name: 'long', settings }, { key })).json.id;
}

/** A stream that has begun: how it ends, and how long after `since` that was. */
async function open(
  port: number,
  method: string,
  path: string,
  credential: string | Record<string, string> | null,
  body?: object,
) {
  const own = typeof credential === 'string' ? { 'x-api-key': credential } : credential;
  const out = request({ port, method, path, agent: false, headers: { ...json, ...own } });
  out.end(body && JSON.stringify(body));
  const [response] = (await once(out, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  let text = '';
  response.on('data', (chunk) => {
    text += chunk;
  });
  const end = new Promise<string>((resolve) => {
    response.once('end', () => resolve('ended'));
    response.once('error', () => resolve('cut off'));
  });
  after(() => void out.destroy());
  for (let look = 0; !text.includes('word'); look++) {
    assert.ok(look < 2400, `nothing was said: ${text}`);
    await sleep(25);
  }
  return async (): Promise<string> => {
    const started = Date.now();
    const how = await Promise.race([end, sleep(9000, 'goes on', { ref: false })]);
    assert.ok(!text.includes('[DONE]'), 'the stream came to its end');
    // Without a notification, a node notices a revoked key only after ten seconds.
    return how === 'cut off' ? how : `${how} after ${Date.now() - started} ms`;
  };
}

const goesOn = async (end: Promise<string>) =>
  assert.equal(await Promise.race([end, sleep(500, 'goes on')]), 'goes on');

for (const [where, port] of nodes) {
  test(`revoking a key cuts off only its own open streams ${where}`, async () => {
    const caller = await workspace();
    const id = await conversationOf(caller);
    const made = await call('POST', `/v1/admin/groups/${caller.id}/api-keys`, { name: 'to be revoked' });
    const own = await open(port, 'POST', `/v1/conversations/${id}/stream`, made.json.value, { content: 'Go' });
    const joined = await open(port, 'GET', `/v1/conversations/${id}/events`, made.json.value);
    const others = await open(port, 'GET', `/v1/conversations/${id}/events`, caller.key);
    await call('DELETE', `/v1/admin/groups/${caller.id}/api-keys/${made.json.id}`);
    const watched = others();
    assert.deepEqual(await Promise.all([own(), joined()]), ['cut off', 'cut off']);
    await goesOn(watched);
    await call('POST', `/v1/conversations/${id}/stop`, undefined, { key: caller.key });
  });

  test(`taking a permission from a key cuts off its open streams ${where}, and renaming it does not`, async () => {
    const caller = await workspace();
    const id = await conversationOf(caller);
    const made = await call('POST', `/v1/admin/groups/${caller.id}/api-keys`, { name: 'to be changed' });
    const path = `/v1/admin/groups/${caller.id}/api-keys/${made.json.id}`;
    const own = await open(port, 'POST', `/v1/conversations/${id}/stream`, made.json.value, { content: 'Go' });
    const end = own();
    await call('PATCH', path, { name: 'changed' });
    await goesOn(end);
    assert.equal((await call('PATCH', path, { permissions: ['tables_read'] })).status, 200);
    assert.equal(await end, 'cut off');
    await call('POST', `/v1/conversations/${id}/stop`, undefined, { key: caller.key });
  });

  test(`taking rights from the owner of a key cuts off the streams of the key ${where}`, async () => {
    const caller = await workspace();
    const id = await conversationOf(caller);
    const key = await makeAccountKey({ call }, caller.id, ['agents_run']);
    const own = await open(port, 'POST', `/v1/conversations/${id}/stream`, key.value, { content: 'Go' });
    const end = own();
    const path = `/v1/admin/groups/${caller.id}/service-accounts/${key.owner.id}`;
    await call('PATCH', path, { name: 'changed' });
    await goesOn(end);
    assert.equal((await call('PATCH', path, { permissions: ['tables_read'] })).status, 200);
    assert.equal(await end, 'cut off');
    await call('POST', `/v1/conversations/${id}/stop`, undefined, { key: caller.key });
  });

  test(`ending a link cuts off the streams opened through it ${where}, and not those of the workspace`, async () => {
    const caller = await workspace();
    const id = await conversationOf(caller);
    const { json: conversation } = await call('POST', `/v1/conversations/${id}/share`, undefined, caller);
    const at = `/v1/public/conversations/${conversation.public_access_token}`;
    const guest = await open(port, 'POST', `${at}/stream`, null, { content: 'Go' });
    const second = await open(port, 'GET', `${at}/events?format=ui`, null);
    const member = await open(port, 'GET', `/v1/conversations/${id}/events`, caller.key);
    await call('DELETE', `/v1/conversations/${id}/share`, undefined, caller);
    const watched = member();
    assert.deepEqual(await Promise.all([guest(), second()]), ['cut off', 'cut off']);
    await goesOn(watched);
    assert.equal((await call('GET', `${at}/events`, undefined, { key: null })).status, 404);
    await call('POST', `/v1/conversations/${id}/stop`, undefined, { key: caller.key });
  });

  test(`deleting a workspace cuts off its open streams ${where}`, async () => {
    const caller = await workspace();
    const id = await conversationOf(caller);
    const key = await open(port, 'POST', `/v1/conversations/${id}/stream`, caller.key, { content: 'Go' });
    await call('DELETE', `/v1/admin/groups/${caller.id}`);
    assert.equal(await key(), 'cut off');
  });
}

const people = await makePeopleIn(testing);
const ends = {
  'signing out': ({ cookie }) => call('POST', '/v1/auth/sign-out', undefined, as(cookie)),
  'a change of role': ({ id }, group_id) =>
    call('PUT', `/v1/admin/groups/${group_id}/members/${id}`, { role_id: people.roleNamed('Editor') }),
  'removal from the workspace': ({ id }, group_id) => call('DELETE', `/v1/admin/groups/${group_id}/members/${id}`),
  deactivation: ({ id }) => call('PATCH', `/v1/admin/users/${id}`, { active: false }),
  'a new address from a directory': async ({ id }) => {
    await query(
      'insert into scim_users (person_id, tenant_id, user_name) select id, tenant_id, email from people where id = $1',
      [id],
    );
    const { json: token } = await call('POST', '/v1/admin/scim-tokens', { name: 'Directory' });
    const change = { Operations: [{ op: 'replace', path: 'emails', value: [{ value: `moved-${id}@example.com` }] }] };
    const headers = { authorization: `Bearer ${token.value}`, 'content-type': 'application/scim+json' };
    const moved = await call('PATCH', `/scim/v2/Users/${id}`, JSON.stringify(change), { key: null, headers });
    assert.equal(moved.status, 200, moved.text);
  },
  'deleting the workspace': async ({ email, cookie }, group_id) => {
    // A second workspace would otherwise stand in for the first.
    const { token } = await people.invite(people.roleNamed('Admin'), { email });
    await call('POST', '/v1/auth/invitations/join', { token }, as(cookie));
    return call('DELETE', `/v1/admin/groups/${group_id}`);
  },
} satisfies Record<
  string,
  (member: { id: string; email: string; cookie: string }, group_id: string) => Promise<unknown>
>;

for (const [cause, end] of Object.entries(ends))
  test(`${cause} cuts off the streams of a session on both nodes, and the session is refused there at once`, async () => {
    const caller = await workspace();
    const id = await conversationOf(caller);
    const member = await people.aMember('Admin', caller.id);
    const { headers } = as(member.cookie);
    const own = await open(here, 'POST', `/v1/conversations/${id}/stream`, headers, { content: 'Go' });
    const joined = await open(there, 'GET', `/v1/conversations/${id}/events`, headers);
    await end(member, caller.id);
    assert.deepEqual(await Promise.all([own(), joined()]), ['cut off', 'cut off']);
    for (const server of [testing.app.server, other.server]) {
      const again = await server.inject({ url: `/v1/conversations/${id}`, headers });
      assert.equal(again.statusCode, cause === 'deleting the workspace' ? 404 : 401, again.payload);
    }
  });

test('a stream of chat completions ends with its key too', async () => {
  const caller = await workspace();
  const definition = { model: [`${account}/one`] };
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Long', definition }, caller);
  const body = { model: `agent:${agent.id}`, stream: true, messages: [{ role: 'user', content: 'Go' }] };
  const own = await open(here, 'POST', '/v1/chat/completions', caller.key, body);
  const { json: keys } = await call('GET', `/v1/admin/groups/${caller.id}/api-keys`);
  await call('DELETE', `/v1/admin/groups/${caller.id}/api-keys/${keys[0].id}`);
  assert.equal(await own(), 'cut off');
});
