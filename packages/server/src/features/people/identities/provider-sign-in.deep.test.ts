import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { as, makePeopleIn, password } from '../testing.ts';
import { aBrowser, startProvider } from './testing.ts';

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const { call } = testing;
const { home, roleNamed, aMember } = await makePeopleIn(testing);
const { json: other } = await call('POST', '/v1/admin/groups', { name: 'Other' });
const mapping = (value: string, role: string, group_id = home) => ({
  ...{ claim: 'groups', value, group_id, role_id: roleNamed(role) },
});
const main = await startProvider(testing, {
  ...{ name: 'Main', create_accounts: true, allowed_domains: ['Example.com'] },
  mappings: [mapping('editors', 'Editor'), mapping('staff', 'Reader'), mapping('others', 'Reader', other.id)],
});

/** An account at the provider. */
function anAccount(claims: Record<string, unknown> = {}, provider = main) {
  const login = randomUUID();
  const email = `${login}@example.com`;
  provider.accounts.set(login, { email, email_verified: true, name: 'Cy', groups: ['staff'], ...claims });
  return { login, email };
}
const sessionOf = async (browser: ReturnType<typeof aBrowser>) =>
  call('GET', '/v1/auth/session', undefined, as(browser.cookies()));

suite('sign-in at an identity provider', () => {
  test('makes an account at the first sign-in and finds it by issuer and subject afterwards', async () => {
    const { login, email } = anAccount();
    const browser = aBrowser(testing);
    const first = await browser.signIn(main, login, '/agents?x=1');
    assert.deepEqual([first.status, first.location], [303, '/agents?x=1'], first.text);
    const { json: session } = await sessionOf(browser);
    assert.deepEqual([session.person.email, session.person.name, session.person.tenant_admin], [email, 'Cy', false]);
    assert.deepEqual(
      session.workspaces.map(({ id }: { id: string }) => id),
      [home],
    );
    assert.match(browser.cookies(), /^atrium_session=ats_[\w-]{43}$/, 'the cookie of the sign-in is gone');
    main.accounts.set(login, { ...main.accounts.get(login), email: 'changed@example.com', email_verified: false });
    const again = aBrowser(testing);
    assert.equal((await again.signIn(main, login)).status, 303);
    assert.equal((await sessionOf(again)).json.person.id, session.person.id);
    assert.equal((await sessionOf(again)).json.person.email, email);
  });

  test('is offered by name to everybody, and started only at a provider that is enabled', async () => {
    const options = (await call('GET', '/v1/auth/options', undefined, { key: null })).json;
    assert.deepEqual(options.methods, ['password', 'oidc']);
    assert.ok(
      options.providers.some(({ name, id }: { name: string; id: string }) => name === 'Main' && id === main.id),
    );
    assert.ok(!JSON.stringify(options).includes('atrium"'), 'no id of a client');
    const path = `/v1/admin/identity-providers/${main.id}`;
    await call('PATCH', path, { enabled: false });
    assert.equal((await call('GET', `/v1/auth/oidc/${main.id}/start`, undefined, { key: null })).status, 404);
    await call('PATCH', path, { enabled: true });
    assert.equal((await call('GET', `/v1/auth/oidc/${randomUUID()}/start`, undefined, { key: null })).status, 404);
  });

  test('creates no account without a verified address of an allowed domain and a place in a workspace', async () => {
    const closed = await startProvider(testing, { create_accounts: false });
    const cases = [
      [anAccount({ email_verified: false }), main],
      [anAccount({ email_verified: undefined }), main],
      [anAccount({ email_verified: 'true' }), main],
      [anAccount({ email: `${randomUUID()}@example.org` }), main],
      [anAccount({ email: `x@example.com@${randomUUID()}.org` }), main],
      [anAccount({ email: undefined }), main],
      [anAccount({ groups: ['strangers'] }), main],
      [anAccount({ groups: 'staffing' }), main],
      [anAccount({}, closed), closed],
    ] as const;
    const count = async () => (await call('GET', '/v1/admin/users')).json.total;
    const before = await count();
    for (const [{ login }, provider] of cases) {
      const browser = aBrowser(testing);
      const answer = await browser.signIn(provider, login);
      assert.deepEqual([answer.status, answer.json.code], [403, 'account_refused'], answer.text);
      assert.equal((await sessionOf(browser)).status, 401);
    }
    assert.equal(await count(), before);
    const lax = await startProvider(testing, {
      ...{ create_accounts: true, email_verified_required: false },
      default_membership: { group_id: home, role_id: roleNamed('Reader') },
    });
    assert.equal(
      (await aBrowser(testing).signIn(lax, anAccount({ email_verified: undefined }, lax).login)).status,
      303,
    );
    const { login } = anAccount({ email_verified: false }, lax);
    assert.equal((await aBrowser(testing).signIn(lax, login)).json.code, 'account_refused');
  });

  test('does not take over an account that has the same mail address', async () => {
    const owner = await aMember('Admin');
    for (const [email_verified, code] of [
      [false, 'account_refused'],
      [true, 'sign_in_first'],
    ] as const) {
      const { login } = anAccount({ email: owner.email.toUpperCase(), email_verified });
      const browser = aBrowser(testing);
      const answer = await browser.signIn(main, login);
      assert.equal(answer.json.code, code, answer.text);
      assert.equal((await sessionOf(browser)).status, 401);
    }
    assert.deepEqual((await call('GET', '/v1/auth/identities', undefined, as(owner.cookie))).json, []);
  });

  test('answers a browser with a page that leads to sign-in with the reason, and a program with JSON', async () => {
    const path = `/v1/auth/oidc/${main.id}/callback?state=x&code=y&error=%3Cscript%3E`;
    const browser = await testing.app.server.inject({ url: path, headers: { accept: 'text/html,*/*;q=0.8' } });
    assert.equal(browser.statusCode, 409);
    assert.match(String(browser.headers['content-type']), /^text\/html/);
    assert.equal(browser.headers['cache-control'], 'no-store');
    assert.match(String(browser.headers['content-security-policy']), /^default-src 'none'/);
    assert.match(browser.payload, /url=\/sign-in\?failed=login_over"/);
    assert.match(browser.payload, /This sign-in is not known/);
    assert.ok(!browser.payload.includes('<script'));
    const unknown = await testing.app.server.inject({
      url: '/v1/auth/oidc/none/start?return_to=https://evil.example',
      headers: { accept: 'text/html' },
    });
    assert.equal(unknown.statusCode, 422);
    assert.match(unknown.payload, /failed=invalid"/);
    const program = await testing.app.server.inject({ url: path, headers: { accept: '*/*' } });
    assert.deepEqual([program.statusCode, program.json().code], [409, 'login_over']);
  });

  test('keeps deactivated people out', async () => {
    const { login } = anAccount();
    const browser = aBrowser(testing);
    await browser.signIn(main, login);
    const { id } = (await sessionOf(browser)).json.person;
    await call('PATCH', `/v1/admin/users/${id}`, { active: false });
    assert.equal((await sessionOf(browser)).status, 401);
    const answer = await browser.signIn(main, login);
    assert.deepEqual([answer.status, answer.json.code], [403, 'sign_in_refused']);
    assert.equal((await sessionOf(browser)).status, 401);
  });
});

suite('the memberships that claims give', () => {
  const membersOf = async (group_id: string) => (await call('GET', `/v1/admin/groups/${group_id}/members`)).json;
  const memberIn = async (group_id: string, id: string) =>
    (await membersOf(group_id)).find(({ person_id }: { person_id: string }) => person_id === id);

  test('follow the groups at every sign-in, and end other sessions when they become less', async () => {
    const { login } = anAccount({ groups: ['staff', 'editors', 'others'] });
    const phone = aBrowser(testing);
    await phone.signIn(main, login);
    const { id } = (await sessionOf(phone)).json.person;
    assert.deepEqual(
      [(await memberIn(home, id)).role_name, (await memberIn(other.id, id)).role_name],
      ['Editor', 'Reader'],
      'the first entry that fits decides',
    );
    assert.equal((await memberIn(home, id)).source_provider_id, main.id);

    const laptop = aBrowser(testing);
    await laptop.signIn(main, login);
    assert.equal((await sessionOf(phone)).status, 200, 'the same rights end no session');

    main.accounts.set(login, { ...main.accounts.get(login), groups: ['staff'] });
    await laptop.signIn(main, login);
    assert.equal((await sessionOf(phone)).status, 401);
    assert.equal((await memberIn(home, id)).role_name, 'Reader');
    assert.equal(await memberIn(other.id, id), undefined);
    assert.equal((await call('POST', '/v1/agents', { name: 'x' }, as(laptop.cookies()))).status, 403);

    main.accounts.set(login, { ...main.accounts.get(login), groups: undefined });
    await laptop.signIn(main, login);
    assert.deepEqual((await sessionOf(laptop)).json.workspaces, []);
  });

  test('leave memberships made by hand, and who administers the organization, as they are', async () => {
    const { login } = anAccount({ groups: ['staff', 'others'] });
    const browser = aBrowser(testing);
    await browser.signIn(main, login);
    const { id } = (await sessionOf(browser)).json.person;
    await call('PUT', `/v1/admin/groups/${home}/members/${id}`, { role_id: roleNamed('Admin') });
    assert.equal((await memberIn(home, id)).source_provider_id, null);
    await call('PATCH', `/v1/admin/users/${id}`, { tenant_admin: true });
    for (const groups of [['editors'], [], ['staff', 'others']]) {
      main.accounts.set(login, { ...main.accounts.get(login), groups });
      await browser.signIn(main, login);
      assert.equal((await memberIn(home, id)).role_name, 'Admin');
      assert.equal((await memberIn(other.id, id)) !== undefined, groups.includes('others'));
      assert.equal((await sessionOf(browser)).json.person.tenant_admin, true);
    }
  });

  test('end at once when an entry is taken out, and all of them with their provider', async () => {
    const brief = await startProvider(testing, {
      create_accounts: true,
      default_membership: { group_id: other.id, role_id: roleNamed('Reader') },
      mappings: [{ ...mapping('a', 'Editor'), claim: 'realm.roles' }],
    });
    const path = `/v1/admin/identity-providers/${brief.id}`;
    const { login } = anAccount({ realm: { roles: ['a'] } }, brief);
    const browser = aBrowser(testing);
    await browser.signIn(brief, login);
    const { id } = (await sessionOf(browser)).json.person;
    assert.equal((await memberIn(home, id)).role_name, 'Editor');
    assert.equal((await memberIn(other.id, id)).role_name, 'Reader');

    assert.equal((await call('PATCH', path, { mappings: [] })).status, 200);
    assert.equal((await sessionOf(browser)).status, 401);
    assert.equal(await memberIn(home, id), undefined);
    await browser.signIn(brief, login);
    assert.equal((await call('PATCH', path, { enabled: false })).status, 200);
    assert.equal((await sessionOf(browser)).status, 401, 'sessions of a provider that is switched off end');
    await call('PATCH', path, { enabled: true });

    await browser.signIn(brief, login);
    assert.equal((await call('DELETE', path)).status, 200);
    assert.equal((await sessionOf(browser)).status, 401);
    assert.equal(await memberIn(other.id, id), undefined);
    assert.equal((await call('GET', `/v1/admin/users/${id}`)).json.active, true, 'the account stays');
  });
});

suite('identities', () => {
  test('are linked to an account in its own session, and sign in to it from then on', async () => {
    const owner = await aMember('Editor');
    const browser = aBrowser(testing);
    browser.keep({ headers: { 'set-cookie': owner.cookie } });
    const { login } = anAccount({ email: owner.email, groups: ['others'] });
    const start = (more: object) => {
      const body = { identity_provider_id: main.id, return_to: '/me', ...more };
      return call('POST', '/v1/auth/identities', body, as(browser.cookies()));
    };
    for (const more of [{}, { password: 'not the password' }])
      assert.equal((await start(more)).json.code, 'password_refused', 'a session alone links nothing');
    const started = await start({ password });
    assert.equal(started.status, 200, started.text);
    browser.keep(started);
    const linked = await browser.open(await browser.goThrough(started.json.authorization_url, login));
    assert.deepEqual([linked.status, linked.location], [303, '/me'], linked.text);
    const { json: own } = await call('GET', '/v1/auth/identities', undefined, as(owner.cookie));
    assert.deepEqual([own.length, own[0].subject, own[0].provider_name], [1, login, 'Main']);

    const fresh = aBrowser(testing);
    await fresh.signIn(main, login);
    assert.equal((await sessionOf(fresh)).json.person.id, owner.id);
    assert.equal((await sessionOf(fresh)).json.workspaces.length, 2);

    const stranger = await aMember('Reader');
    const gone = await call('DELETE', `/v1/auth/identities/${own[0].id}`, undefined, as(stranger.cookie));
    assert.equal(gone.status, 404);
    const removed = await call('DELETE', `/v1/auth/identities/${own[0].id}`, undefined, as(fresh.cookies()));
    assert.equal(removed.status, 200, removed.text);
    assert.equal((await sessionOf(fresh)).status, 401, 'the membership of the claim has gone with it');
    assert.equal((await fresh.signIn(main, login)).json.code, 'sign_in_first');
  });

  test('of another account are refused, and so is a link that another session finishes', async () => {
    const { login } = anAccount();
    await aBrowser(testing).signIn(main, login);
    const owner = await aMember('Reader');
    const startIn = async (cookie: string, finishing = cookie) => {
      const browser = aBrowser(testing);
      const started = await call(
        'POST',
        '/v1/auth/identities',
        { identity_provider_id: main.id, password },
        as(cookie),
      );
      browser.keep(started);
      browser.keep({ headers: { 'set-cookie': finishing } });
      return browser.open(await browser.goThrough(started.json.authorization_url, login));
    };
    assert.equal((await startIn(owner.cookie)).json.code, 'identity_taken');
    const second = await aMember('Reader');
    assert.equal((await startIn(owner.cookie, second.cookie)).json.code, 'login_over');
    assert.equal((await startIn(owner.cookie, 'atrium_session=ats_none')).json.code, 'login_over');
  });

  test('that are the last way to sign in can not be unlinked', async () => {
    const browser = aBrowser(testing);
    await browser.signIn(main, anAccount().login);
    const [own] = (await call('GET', '/v1/auth/identities', undefined, as(browser.cookies()))).json;
    const answer = await call('DELETE', `/v1/auth/identities/${own.id}`, undefined, as(browser.cookies()));
    assert.deepEqual([answer.status, answer.json.code], [409, 'last_sign_in_method']);
    assert.equal((await sessionOf(browser)).status, 200);
  });
});

test('sign-out ends the session here and says where the browser ends it at the provider', async () => {
  const { login } = anAccount();
  const browser = aBrowser(testing);
  await browser.signIn(main, login);
  const out = await call('POST', '/v1/auth/sign-out', undefined, as(browser.cookies()));
  const url = new URL(out.json.end_session_url);
  assert.equal(url.origin, main.issuer);
  assert.equal(url.searchParams.get('post_logout_redirect_uri'), 'http://127.0.0.1:8080/');
  assert.match(url.searchParams.get('id_token_hint') ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.equal((await sessionOf(browser)).status, 401);
  const page = await fetch(url);
  assert.equal(page.status, 200, 'the provider takes the address');
  await page.text();
  const member = await aMember('Reader');
  const plain = await call('POST', '/v1/auth/sign-out', undefined, as(member.cookie));
  assert.equal(plain.json.end_session_url, null);
});
