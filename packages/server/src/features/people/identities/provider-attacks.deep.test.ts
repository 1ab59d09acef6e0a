import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { as, makePeopleIn } from '../testing.ts';
import { aBrowser, startProvider, type TestProvider } from './testing.ts';

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const { call, query } = testing;
const { home, roleNamed, aMember } = await makePeopleIn(testing);
const fields = {
  create_accounts: true,
  default_membership: { group_id: home, role_id: roleNamed('Reader') },
};
const main = await startProvider(testing, fields);
const rival = await startProvider(testing, fields);

function anAccount({ accounts }: TestProvider, login: string = randomUUID()) {
  accounts.set(login, { email: `${randomUUID()}@example.com`, email_verified: true, name: 'Cy' });
  return login;
}
const statusOf = async (browser: ReturnType<typeof aBrowser>) =>
  (await call('GET', '/v1/auth/session', undefined, as(browser.cookies()))).status;
const startIn = async (browser: ReturnType<typeof aBrowser>, { id }: TestProvider) =>
  (await browser.open(`/v1/auth/oidc/${id}/start`)).location;

suite('a sign-in is refused', () => {
  test('when its answer comes a second time, also with the cookie of the browser', async () => {
    const browser = aBrowser(testing);
    const back = await browser.goThrough(await startIn(browser, main), anAccount(main));
    const before = browser.cookies();
    assert.equal((await browser.open(back)).status, 303);
    const thief = aBrowser(testing);
    thief.keep({ headers: { 'set-cookie': before } });
    for (const again of [browser, thief]) assert.equal((await again.open(back)).json.code, 'login_over');
    assert.equal(await statusOf(thief), 401);
  });

  test('when the code of one sign-in comes with the state of another', async () => {
    const [victim, thief] = [aBrowser(testing), aBrowser(testing)];
    const stolen = new URL(await victim.goThrough(await startIn(victim, main), anAccount(main)));
    const own = new URL(await thief.goThrough(await startIn(thief, main), anAccount(main)));
    own.searchParams.set('code', stolen.searchParams.get('code') as string);
    // The provider has another challenge for this code.
    assert.equal((await thief.open(own.href)).json.code, 'sign_in_refused');
    assert.equal(await statusOf(thief), 401);
  });

  test('in a browser that did not start it, and goes on in the one that did', async () => {
    const [victim, thief] = [aBrowser(testing), aBrowser(testing)];
    const back = await victim.goThrough(await startIn(victim, main), anAccount(main));
    assert.equal((await thief.open(back)).json.code, 'login_over');
    await startIn(thief, main);
    assert.equal((await thief.open(back)).json.code, 'login_over');
    assert.equal((await victim.open(back)).status, 303);
  });

  test('when the ID token has another nonce', async () => {
    const browser = aBrowser(testing);
    const address = new URL(await startIn(browser, main));
    assert.deepEqual(
      ['code_challenge_method', 'response_type'].map((name) => address.searchParams.get(name)),
      ['S256', 'code'],
    );
    address.searchParams.set('nonce', 'of another sign-in');
    const answer = await browser.open(await browser.goThrough(address.href, anAccount(main)));
    assert.deepEqual([answer.status, answer.json.code], [403, 'sign_in_refused'], answer.text);
    assert.equal(await statusOf(browser), 401);
  });

  test('when the answer comes from another provider than the one that was asked', async () => {
    const login = anAccount(main);
    for (const change of [
      (url: URL) => url.searchParams.set('iss', rival.issuer),
      (url: URL) => url.searchParams.delete('iss'),
    ]) {
      const browser = aBrowser(testing);
      const back = new URL(await browser.goThrough(await startIn(browser, main), login));
      assert.equal(back.searchParams.get('iss'), main.issuer);
      change(back);
      assert.equal((await browser.open(back.href)).json.code, 'sign_in_refused');
    }
    const browser = aBrowser(testing);
    const back = await browser.goThrough(await startIn(browser, main), login);
    assert.equal((await browser.open(back.replace(main.id, rival.id))).json.code, 'login_over');
    assert.equal(await statusOf(browser), 401);
  });

  test('after ten minutes, without a code, and when the person declines', async () => {
    const browser = aBrowser(testing);
    const back = await browser.goThrough(await startIn(browser, main), anAccount(main));
    await query("update oidc_logins set expires_at = now() - interval '1 s'");
    assert.equal((await browser.open(back)).json.code, 'login_over');
    for (const change of [
      (url: URL) => url.searchParams.delete('code'),
      (url: URL) => url.searchParams.set('error', 'access_denied'),
    ]) {
      const url = new URL(await browser.goThrough(await startIn(browser, main), anAccount(main)));
      change(url);
      assert.equal((await browser.open(url.href)).json.code, 'sign_in_refused');
    }
  });
});

test('two providers with the same subject have two accounts', async () => {
  const subject = randomUUID();
  const people = [];
  for (const provider of [main, rival]) {
    const browser = aBrowser(testing);
    assert.equal((await browser.signIn(provider, anAccount(provider, subject))).status, 303);
    people.push((await call('GET', '/v1/auth/session', undefined, as(browser.cookies()))).json.person.id);
  }
  assert.notEqual(people[0], people[1]);
});

test('the browser is sent to no other origin in the end', async () => {
  const start = (return_to: string) =>
    call('GET', `/v1/auth/oidc/${main.id}/start?return_to=${encodeURIComponent(return_to)}`, undefined, { key: null });
  for (const bad of [
    ...['https://evil.example', '//evil.example', '/\\evil.example', '\\\\evil.example', 'evil', 'javascript:alert(1)'],
    ...['/\t/evil.example', '/\n/evil.example', ' //evil.example', '/a\\b', '/ü', ''],
  ])
    assert.equal((await start(bad)).status, 422, JSON.stringify(bad));
  for (const good of ['/', '/agents/1?x=%2F%2Fevil#part', '/a//b']) assert.equal((await start(good)).status, 302, good);
  const { cookie } = await aMember('Reader');
  const body = { identity_provider_id: main.id, return_to: '//evil.example' };
  assert.equal((await call('POST', '/v1/auth/identities', body, as(cookie))).status, 422);
});

test('a provider that is down is said to be, and sign-out works without it', async () => {
  const brief = await startProvider(testing, fields);
  const login = anAccount(brief);
  const browser = aBrowser(testing);
  await browser.signIn(brief, login);
  const waiting = aBrowser(testing);
  const back = await waiting.goThrough(await startIn(waiting, brief), login);
  await brief.stop();
  const answer = await waiting.open(back);
  assert.deepEqual([answer.status, answer.json.code], [503, 'provider_unavailable'], answer.text);
  const tested = (await call('POST', `/v1/admin/identity-providers/${brief.id}/test`)).json;
  assert.deepEqual([tested.success, tested.authorization_endpoint], [false, null]);
  // Another secret: nothing of it is known yet.
  await call('PATCH', `/v1/admin/identity-providers/${brief.id}`, { client_secret: 'another' });
  assert.equal((await waiting.open(`/v1/auth/oidc/${brief.id}/start`)).json.code, 'provider_unavailable');
  const out = await call('POST', '/v1/auth/sign-out', undefined, as(browser.cookies()));
  assert.deepEqual(out.json, { success: true, end_session_url: null });
  assert.equal(await statusOf(browser), 401);
});

suite('identity providers', () => {
  const path = `/v1/admin/identity-providers/${main.id}`;

  test('show and log no secret, and store it sealed', async () => {
    const answers = [await call('GET', path), await call('GET', '/v1/admin/identity-providers')];
    answers.push(await call('PATCH', path, { client_secret: '********' }), await call('POST', `${path}/test`));
    assert.equal(answers[3]?.json.success, true);
    assert.equal((await aBrowser(testing).signIn(main, anAccount(main))).status, 303, 'a mask changes no secret');
    const rows = JSON.stringify([
      await query('select * from identity_providers'),
      await query('select * from oidc_logins'),
      await query('select * from oidc_sessions'),
    ]);
    const text = [...answers.map((answer) => answer.text), rows, ...testing.logged].join('\n');
    assert.ok(!text.includes('a secret of the client'));
    assert.ok(!/eyJ[\w-]+\.eyJ/.test(text), 'no token');
  });

  test('ask for the secret again when the issuer changes', async () => {
    const body = { name: randomUUID(), issuer: 'https://a.example', client_id: 'x', client_secret: 'y' };
    const { json: made } = await call('POST', '/v1/admin/identity-providers', body);
    const own = `/v1/admin/identity-providers/${made.id}`;
    for (const client_secret of [undefined, '********'])
      assert.equal((await call('PATCH', own, { issuer: 'https://b.example', client_secret })).status, 422);
    assert.equal((await call('PATCH', own, { issuer: 'https://b.example', client_secret: 'z' })).status, 200);
    assert.equal((await call('PATCH', own, { issuer: main.issuer, client_secret: 'z' })).status, 409);
    assert.equal((await call('POST', '/v1/admin/identity-providers', { ...body, name: made.name })).status, 409);
  });

  test('are for administrators of the organization alone', async () => {
    const { cookie } = await aMember('Admin');
    for (const [method, at] of [
      ['GET', '/v1/admin/identity-providers'],
      ['POST', '/v1/admin/identity-providers'],
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}/test`],
    ] as const)
      assert.equal((await call(method, at, method === 'GET' ? undefined : {}, as(cookie))).status, 403, method + at);
  });

  test('give no role of the organization, and none of another workspace', async () => {
    const organization = await call('POST', '/v1/admin/roles', { name: randomUUID(), scope: 'organization' });
    const { json: other } = await call('POST', '/v1/admin/groups', { name: 'Other' });
    const local = await call('POST', '/v1/admin/roles', { name: randomUUID(), group_id: other.id });
    for (const role_id of [organization.json.id, local.json.id, randomUUID()]) {
      const mapping = { claim: 'groups', value: 'x', group_id: home, role_id };
      for (const body of [{ mappings: [mapping] }, { default_membership: { group_id: home, role_id } }])
        assert.ok([404, 422].includes((await call('PATCH', path, body)).status), JSON.stringify(body));
    }
  });

  test('are not reached at private addresses, and not without TLS, unless the operator lists them', async () => {
    const strict = await testApp();
    for (const issuer of [main.issuer, main.issuer.replace('http:', 'https:'), 'http://169.254.169.254/latest']) {
      const body = { name: randomUUID(), issuer, client_id: 'x', client_secret: 'y' };
      const { json: made } = await strict.call('POST', '/v1/admin/identity-providers', body);
      const tested = await strict.call('POST', `/v1/admin/identity-providers/${made.id}/test`);
      assert.equal(tested.json.success, false);
      const start = await strict.call('GET', `/v1/auth/oidc/${made.id}/start`, undefined, { key: null });
      assert.deepEqual([start.status, start.json.code], [503, 'provider_unavailable']);
    }
  });
});

test('a name from a provider is stored as one line without characters that no record can hold', async () => {
  const browser = aBrowser(testing);
  const login = anAccount(main);
  main.accounts.set(login, { ...main.accounts.get(login), name: ' Cy\u0000\r\n Twombly\ud800' });
  const answer = await browser.signIn(main, login);
  assert.equal(answer.status, 303, answer.text);
  const { json } = await call('GET', '/v1/auth/session', undefined, as(browser.cookies()));
  assert.equal(json.person.name, 'Cy Twombly\ufffd');
});
