import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { methodAndPath } from '@atrium/contract/operation.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { testApp } from '../../../../test/support/test-app.ts';

const testing = await testApp({ trusted_proxies: ['loopback'] });
const { app, call, query } = testing;
const origin = 'http://127.0.0.1:8080';
const password = 'a long password';

/** Requests as a browser with this session cookie sends them. */
const as = (cookie: string, headers: Record<string, string> = {}) => ({
  key: null,
  headers: { cookie, origin, ...headers },
});
const cookieOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['set-cookie']).split(';')[0] as string;
const { json: me } = await call('GET', '/v1/admin/me');
const home = me.group_id as string;
const roleNamed = async (name: string) =>
  (await call('GET', '/v1/admin/roles')).json.find((role: { name: string }) => role.name === name).id as string;

let token = '';
await app.showClaim(async (printed) => {
  token = printed;
});
const anAddress = () => `${randomUUID()}@example.com`;
const invite = async (role: string, email = anAddress()) =>
  (await call('POST', `/v1/admin/groups/${home}/invitations`, { email, role_id: await roleNamed(role) })).json;
const accept = (link: string) =>
  call('POST', '/v1/auth/invitations/accept', { token: link, name: 'Bo', password }, { key: null });
/** A new member of the first workspace with a session. */
async function aMember(role: string) {
  const { token: link, email } = await invite(role);
  const made = await accept(link);
  assert.equal(made.status, 200, made.text);
  return { cookie: cookieOf(made), id: made.json.person.id as string, session: made.json, email: email as string };
}
const signIn = (email: string, word = password, headers: Record<string, string> = {}) =>
  call('POST', '/v1/auth/sign-in', { email, password: word }, { key: null, headers });

suite('the first administrator', () => {
  test('claims the server with the printed token, once', async () => {
    assert.equal((await call('GET', '/v1/auth/options', undefined, { key: null })).json.claimed, false);
    const claim = (word: string) =>
      call('POST', '/v1/auth/claim', { token: word, name: 'Ada', email: 'ada@example.com', password }, { key: null });
    assert.deepEqual((await claim('atc_wrong')).json.code, 'claim_refused');
    const made = await claim(token);
    assert.equal(made.status, 200, made.text);
    assert.match(
      String(made.headers['set-cookie']),
      /^atrium_session=ats_[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    assert.ok(!made.text.includes('ats_'), 'only the cookie has the token');
    assert.deepEqual([made.json.person.tenant_admin, made.json.workspaces[0].id], [true, home]);
    assert.equal((await claim(token)).status, 403);
    assert.equal((await call('GET', '/v1/auth/options', undefined, { key: null })).json.claimed, true);
    let again = '';
    await app.showClaim(async (printed) => {
      again = printed;
    });
    assert.equal(again, '', 'a server with people prints no token');
    const mine = await call('GET', '/v1/auth/session', undefined, as(cookieOf(made)));
    assert.equal(mine.json.person.email, 'ada@example.com');
    assert.equal((await call('GET', '/v1/admin/users', undefined, as(cookieOf(made)))).json.total, 1);
  });

  test('can be neither deactivated nor demoted while there is no other', async () => {
    const [ada] = (await call('GET', '/v1/admin/users?search=ADA@')).json.items;
    for (const patch of [{ active: false }, { tenant_admin: false }])
      assert.equal((await call('PATCH', `/v1/admin/users/${ada.id}`, patch)).json.code, 'last_administrator');
  });
});

suite('invitations', () => {
  test('make an account that may do what its role says, and work once', async () => {
    const { token: link } = await invite('Reader');
    const made = await accept(link);
    assert.equal(made.status, 200, made.text);
    assert.equal((await accept(link)).status, 404);
    const reader = as(cookieOf(made));
    assert.equal((await call('GET', '/v1/agents', undefined, reader)).status, 200);
    assert.equal((await call('POST', '/v1/agents', { name: 'x' }, reader)).status, 403);
    assert.equal((await call('GET', `/v1/admin/groups/${home}/members`, undefined, reader)).status, 403);
  });

  test('are refused when revoked, expired, or for an address with an account', async () => {
    const revoked = await invite('Reader');
    const listed = (await call('GET', `/v1/admin/groups/${home}/invitations`)).json;
    assert.ok(listed.every((one: { token: null }) => one.token === null));
    await call('DELETE', `/v1/admin/groups/${home}/invitations/${revoked.id}`);
    assert.equal((await accept(revoked.token)).status, 404);
    const expired = await invite('Reader');
    await query("update one_time_links set expires_at = now() - interval '1 s' where id = $1", [expired.id]);
    assert.equal((await accept(expired.token)).status, 404);
    const { email } = await aMember('Reader');
    const second = await invite('Editor', email.toUpperCase());
    assert.equal((await accept(second.token)).json.code, 'sign_in_first');
    const owner = as(cookieOf(await signIn(email)));
    const other = as((await aMember('Reader')).cookie);
    assert.equal((await call('POST', '/v1/auth/invitations/join', { token: second.token }, other)).status, 404);
    assert.equal((await call('POST', '/v1/auth/invitations/join', { token: second.token }, owner)).status, 200);
    const { workspaces } = (await call('GET', '/v1/auth/session', undefined, owner)).json;
    assert.ok(workspaces[0].permissions.includes('agents_edit'));
  });

  test('give no role that holds more than the caller', async () => {
    const { json: weak } = await call('POST', '/v1/admin/roles', {
      ...{ name: 'Host', permissions: { workspace_admin: true } },
    });
    const host = await aMember('Reader');
    await call('PUT', `/v1/admin/groups/${home}/members/${host.id}`, { role_id: weak.id });
    const cookie = cookieOf(await signIn(host.email));
    for (const [role, status] of [
      ['Reader', 200],
      ['Org Admin', 422],
    ] as const) {
      const body = { email: anAddress(), role_id: await roleNamed(role) };
      const answer = await call('POST', `/v1/admin/groups/${home}/invitations`, body, as(cookie));
      assert.equal(answer.status, status, answer.text);
    }
  });
});

suite('sessions', () => {
  test('a wrong password, an unknown address and a deactivated account have one answer', async () => {
    const { email, id } = await aMember('Reader');
    const answers = [await signIn(email, 'not the password'), await signIn(anAddress())];
    await call('PATCH', `/v1/admin/users/${id}`, { active: false });
    answers.push(await signIn(email));
    for (const { status, json } of answers)
      assert.deepEqual([status, json], [401, { detail: answers[0]?.json.detail, code: 'sign_in_refused' }]);
  });

  test('are ended by sign-out, deactivation, a change of role, and a new password', async () => {
    const alive = async (cookie: string) => (await call('GET', '/v1/auth/session', undefined, as(cookie))).status;
    const member = await aMember('Reader');
    const { id, email } = member;
    let { cookie } = member;
    const signInAgain = async () => {
      cookie = cookieOf(await signIn(email));
    };
    assert.equal(await alive(cookie), 200);
    assert.match(
      String((await call('POST', '/v1/auth/sign-out', undefined, as(cookie))).headers['set-cookie']),
      /Max-Age=0/,
    );
    assert.equal(await alive(cookie), 401);

    await signInAgain();
    await call('PUT', `/v1/admin/groups/${home}/members/${id}`, { role_id: await roleNamed('Editor') });
    assert.equal(await alive(cookie), 401);

    await signInAgain();
    const other = cookieOf(await signIn(email));
    const change = (current: string) =>
      call('POST', '/v1/auth/password', { current, password: 'another long one' }, as(cookie));
    assert.equal((await change('not it')).json.code, 'password_refused');
    assert.equal((await change(password)).status, 200);
    assert.deepEqual([await alive(cookie), await alive(other)], [200, 401]);

    const { json: link } = await call('POST', `/v1/admin/users/${id}/password-reset`);
    const reset = () => call('POST', '/v1/auth/password-reset', { token: link.token, password }, { key: null });
    assert.equal((await reset()).status, 200);
    assert.equal((await reset()).json.code, 'link_refused');
    assert.equal(await alive(cookie), 401);

    await signInAgain();
    await call('PATCH', `/v1/admin/users/${id}`, { active: false });
    assert.equal(await alive(cookie), 401);
  });

  test('end when idle for too long and at their last day', async () => {
    for (const change of ["used_at = now() - interval '2 days'", "expires_at = now() - interval '1 s'"]) {
      const { cookie, session } = await aMember('Reader');
      await query(`update sessions set ${change} where id = $1`, [session.id]);
      // As a node does that has not seen the session yet.
      await call('POST', '/v1/admin/roles', { name: randomUUID() });
      await query('select pg_notify(\'atrium_bell\', \'["keys",""]\')');
      const ended = async () => (await call('GET', '/v1/auth/session', undefined, as(cookie))).status === 401;
      for (let looks = 0; looks < 100 && !(await ended()); looks++) await new Promise((go) => setTimeout(go, 20));
      assert.ok(await ended(), change);
    }
  });

  test('are listed and ended one by one by their person alone', async () => {
    const { cookie, email } = await aMember('Reader');
    const phone = cookieOf(await signIn(email, password, { 'user-agent': 'Phone' }));
    const { json: listed } = await call('GET', '/v1/auth/sessions', undefined, as(cookie));
    assert.deepEqual(
      listed.map(({ current, user_agent }: { current: boolean; user_agent: string }) => [
        current,
        user_agent === 'Phone',
      ]),
      [
        [false, true],
        [true, false],
      ],
    );
    const path = `/v1/auth/sessions/${listed[0].id}`;
    const stranger = await aMember('Reader');
    assert.equal((await call('DELETE', path, undefined, as(stranger.cookie))).status, 404);
    assert.equal((await call('DELETE', path, undefined, as(cookie))).status, 200);
    assert.equal((await call('GET', '/v1/auth/session', undefined, as(phone))).status, 401);
  });

  test('are refused for writes of other sites, and in two cookies', async () => {
    const { cookie } = await aMember('Editor');
    const make = (headers: Record<string, string>) =>
      call('POST', '/v1/agents', { name: 'x' }, { key: null, headers: { cookie, ...headers } });
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      assert.deepEqual((await make(headers)).json.code, 'origin_refused', JSON.stringify(headers));
    assert.equal((await make({ origin })).status, 200);
    assert.equal((await make({ 'sec-fetch-site': 'same-origin' })).status, 200);
    assert.equal((await call('GET', '/v1/agents', undefined, { key: null, headers: { cookie } })).status, 200);
    const twice = { cookie: `${cookie}; atrium_session=ats_other`, origin };
    assert.equal((await call('GET', '/v1/agents', undefined, { key: null, headers: twice })).status, 401);
    const evil = { origin: 'https://evil.example' };
    assert.equal(
      (await call('POST', '/v1/auth/sign-in', { email: anAddress(), password }, { key: null, headers: evil })).status,
      403,
    );
  });

  test('act in the workspaces of their person and no other', async () => {
    const { cookie } = await aMember('Editor');
    const { json: other } = await call('POST', '/v1/admin/groups', { name: 'Other' });
    const named = as(cookie, { 'x-workspace-id': other.id });
    assert.equal((await call('GET', '/v1/agents', undefined, named)).status, 404);
    const { json: mine } = await call('GET', '/v1/auth/session', undefined, as(cookie));
    await call('PUT', `/v1/admin/groups/${other.id}/members/${mine.person.id}`, { role_id: await roleNamed('Reader') });
    const again = cookieOf(await signIn(mine.person.email));
    assert.equal((await call('GET', '/v1/agents', undefined, as(again, { 'x-workspace-id': other.id }))).status, 200);
    assert.equal(
      (await call('POST', '/v1/agents', { name: 'x' }, as(again, { 'x-workspace-id': other.id }))).status,
      403,
    );
    assert.equal((await call('POST', '/v1/agents', { name: 'x' }, as(again))).status, 200);
  });

  test('are refused where their role lacks the permission, and everywhere once they have ended', async () => {
    // Every operation asks for its permission, as the walk shows; so reading and writing are tried for each permission.
    const kinds = new Map(
      app.routes.map((route) => [`${route.permission} ${methodAndPath(route).method === 'GET'}`, route]),
    );
    const routes = [...kinds.values()];
    let refusals = 0;
    const { cookie, session } = await aMember('Reader');
    const held = new Set<Permission>(session.workspaces[0].permissions);
    for (const route of routes) {
      const { permission } = route;
      if (permission === 'any' || permission === 'link' || permission === 'open' || permission === 'session') continue;
      // Directories have tokens of their own kind.
      if (permission === 'scim') continue;
      if ([permission].flat().some((one) => allows(held, one))) continue;
      const { method, path } = methodAndPath(route);
      const { status, json } = await call(method, path.replaceAll(/\{\w+\}/g, randomUUID()), undefined, as(cookie));
      assert.equal(status, 403, `${route.route} with the role Reader`);
      assert.match(json.detail, /^You lack the permission /, route.route);
      refusals++;
    }
    await call('POST', '/v1/auth/sign-out', undefined, as(cookie));
    for (const route of routes) {
      if (route.permission === 'link' || route.permission === 'open') continue;
      const { method, path } = methodAndPath(route);
      const { status, text } = await call(method, path.replaceAll(/\{\w+\}/g, randomUUID()), undefined, as(cookie));
      assert.equal(status, 401, `${route.route} with an ended session`);
      const told =
        route.permission === 'scim'
          ? /A valid SCIM token is needed/
          : /The session is over or not valid; sign in again/;
      assert.match(text, told, route.route);
    }
    assert.ok(refusals > 20, String(refusals));
  });
});

test('slows wrong passwords for one account from one address, and no other account or address', async () => {
  const [one, two] = [await aMember('Reader'), await aMember('Reader')];
  const from = (address: string) => ({ 'x-forwarded-for': address });
  let slowed = 0;
  for (let tries = 0; tries < 1000; tries++)
    if ((await signIn(one.email, 'wrong password', from('203.0.113.7'))).status === 429) slowed++;
  assert.ok(slowed > 990, String(slowed));
  const again = await signIn(one.email, password, from('203.0.113.7'));
  assert.deepEqual([again.status, Number(again.headers['retry-after']) > 0], [429, true]);
  assert.equal((await signIn(two.email, password, from('203.0.113.7'))).status, 200);
  assert.equal((await signIn(one.email, password, from('203.0.113.8'))).status, 200);
});

test('stores no password and no token in plain', async () => {
  const { cookie, id } = await aMember('Reader');
  const rows = JSON.stringify([
    await query('select * from people where id = $1', [id]),
    await query('select *, encode(token_hash, $1) from sessions', ['base64']),
    await query('select * from one_time_links'),
  ]);
  assert.ok(rows.includes('$argon2id$v=19$m=19456,t=2,p=1$'));
  assert.ok(!rows.includes(password) && !rows.includes(cookie.split('=')[1] as string));
  assert.ok(!testing.logged.some((line) => line.includes(password) || line.includes('ats_')));
});
