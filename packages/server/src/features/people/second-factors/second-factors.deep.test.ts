import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { methodAndPath } from '@atrium/contract/operation.ts';
import { type Answer, testApp } from '../../../../test/support/test-app.ts';
import { aBrowser, startProvider } from '../identities/testing.ts';
import { as, cookieOf, makePeopleIn, password } from '../testing.ts';
import { decodeSecret, stepAt, totpCode } from './totp.ts';

const testing = await testApp({ web_allow: ['127.0.0.1'], trusted_proxies: ['loopback'] });
const { app, call, query } = testing;
const { home, roleNamed, signIn, aMember } = await makePeopleIn(testing);
const path = '/v1/auth/second-factor';
const statusOf = async (cookie: string) => (await call('GET', '/v1/auth/session', undefined, as(cookie))).status;
/** An address of its own, so that tests do not slow each other. */
let networks = 0;
const aNetwork = () => ({ 'x-forwarded-for': `198.51.100.${++networks}` });

/** A code of a step near now. Each works once, so tests take them in order. */
const codeOf = (secret: string, offset = 0) => totpCode(decodeSecret(secret), stepAt(Date.now()) + offset);
/** Forgets which codes were used, as if some time had gone by. */
const laterOn = (id: string) => query('update second_factors set last_step = 0 where person_id = $1', [id]);
const wrongCode = (secret: string) => {
  const near = [-2, -1, 0, 1, 2].map((offset) => codeOf(secret, offset));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) as string;
};

async function enrol(cookie: string) {
  const { json } = await call('POST', path, { password }, as(cookie));
  const confirmed = await call('POST', `${path}/confirm`, { code: codeOf(json.secret) }, as(cookie));
  assert.equal(confirmed.status, 200, confirmed.text);
  return { secret: json.secret as string, recovery_codes: confirmed.json.recovery_codes as string[] };
}
/** A member with a second factor. */
async function aGuardedMember(role = 'Reader') {
  const member = await aMember(role);
  const factor = await enrol(member.cookie);
  await laterOn(member.id);
  return { ...member, ...factor };
}
const verify = (token: string, code: string, headers: Record<string, string> = {}) =>
  call('POST', '/v1/auth/sign-in/second-factor', { token, code }, { key: null, headers });
const firstStep = async (email: string) => {
  const answer = await signIn(email, password, aNetwork());
  assert.deepEqual(Object.keys(answer.json), ['second_factor'], answer.text);
  assert.equal(answer.headers['set-cookie'], undefined, 'no session after the password alone');
  return answer.json.second_factor.token as string;
};
const codeIn = ({ status, json }: Answer) => [status, json.code];

suite('a second factor', () => {
  test('is asked for at sign-in once a code has confirmed it, and ends other sessions then', async () => {
    const { cookie, email, id } = await aMember('Reader');
    const other = cookieOf(await signIn(email));
    assert.deepEqual(codeIn(await call('POST', path, {}, as(cookie))), [403, 'password_refused']);
    assert.deepEqual(codeIn(await call('POST', path, { password: 'not it' }, as(cookie))), [403, 'password_refused']);
    assert.equal(
      (await call('POST', `${path}/confirm`, { code: '123456' }, as(cookie))).json.code,
      'second_factor_missing',
    );
    const { json: first } = await call('POST', path, { password }, as(cookie));
    const enrolled = await call('POST', path, { password }, as(cookie));
    const { secret, otpauth_uri } = enrolled.json;
    assert.equal(enrolled.headers['cache-control'], 'no-store');
    assert.equal(new URL(otpauth_uri).searchParams.get('secret'), secret);
    assert.equal((await signIn(email)).status, 200, 'not before it is confirmed');
    const confirm = (code: string) => call('POST', `${path}/confirm`, { code }, as(cookie));
    assert.deepEqual(codeIn(await confirm(codeOf(first.secret))), [403, 'code_refused'], 'of the secret before');
    const confirmed = await confirm(codeOf(secret));
    assert.equal(new Set(confirmed.json.recovery_codes).size, 10);
    assert.deepEqual([await statusOf(cookie), await statusOf(other)], [200, 401]);
    assert.equal((await call('POST', path, { password }, as(cookie))).json.code, 'second_factor_exists');
    const { json: shown } = await call('GET', path, undefined, as(cookie));
    assert.deepEqual([shown.enabled, shown.recovery_codes_left, shown.required], [true, 10, false]);
    assert.equal((await call('GET', `/v1/admin/users/${id}`)).json.second_factor, true);

    await laterOn(id);
    const token = await firstStep(email);
    const done = await verify(token, codeOf(secret));
    assert.equal(done.status, 200, done.text);
    assert.equal(done.json.person.id, id);
    assert.equal(await statusOf(cookieOf(done)), 200);
    assert.deepEqual(codeIn(await verify(token, codeOf(secret, 1))), [401, 'sign_in_refused'], 'the token works once');
  });

  test('takes each code once, also from several requests at the same moment', async () => {
    const { email, secret } = await aGuardedMember();
    const tokens = await Promise.all(Array.from({ length: 4 }, () => firstStep(email)));
    const code = codeOf(secret);
    const answers = await Promise.all(tokens.map((token) => verify(token, code, aNetwork())));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403, 403, 403]);
    const again = await firstStep(email);
    assert.deepEqual(
      codeIn(await verify(again, codeOf(secret, -1), aNetwork())),
      [403, 'code_refused'],
      'an older one',
    );
    assert.equal((await verify(again, codeOf(secret, 1), aNetwork())).status, 200, 'the next one');
  });

  test('can be given by a recovery code, each once, and new ones replace the old', async () => {
    const { email, secret, recovery_codes, cookie, id } = await aGuardedMember();
    const [first = '', second = ''] = recovery_codes;
    assert.match(first, /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    assert.equal((await verify(await firstStep(email), first.toLowerCase().replaceAll('-', ' '))).status, 200);
    assert.deepEqual(codeIn(await verify(await firstStep(email), first)), [403, 'code_refused']);
    assert.equal((await call('GET', path, undefined, as(cookie))).json.recovery_codes_left, 9);
    const renew = (code: string) => call('POST', `${path}/recovery-codes`, { code }, as(cookie));
    assert.deepEqual(codeIn(await renew(wrongCode(secret))), [403, 'code_refused']);
    const { json: fresh } = await renew(codeOf(secret));
    assert.equal(fresh.recovery_codes.length, 10);
    assert.deepEqual(codeIn(await verify(await firstStep(email), second)), [403, 'code_refused']);
    assert.equal((await verify(await firstStep(email), fresh.recovery_codes[0], aNetwork())).status, 200);
    const stranger = await aGuardedMember();
    assert.equal((await verify(await firstStep(stranger.email), fresh.recovery_codes[1])).status, 403);
    const rows = JSON.stringify([
      await query('select * from second_factors where person_id = $1', [id]),
      await query("select encode(code_hash, 'escape') from recovery_codes"),
      await query("select *, encode(token_hash, 'escape') from sign_in_steps"),
    ]);
    for (const hidden of [secret, second, fresh.recovery_codes[2], 'ats2_'])
      assert.ok(!rows.includes(hidden) && !testing.logged.some((line) => line.includes(hidden)));
  });

  test('is disabled with password and code, and by an administrator, who ends the sessions', async () => {
    const { email, secret, cookie, id } = await aGuardedMember();
    const disable = (body: object) => call('POST', `${path}/disable`, body, as(cookie));
    assert.deepEqual(codeIn(await disable({ code: codeOf(secret) })), [403, 'password_refused']);
    assert.deepEqual(codeIn(await disable({ password: 'not it', code: codeOf(secret) })), [403, 'password_refused']);
    assert.deepEqual(codeIn(await disable({ password, code: wrongCode(secret) })), [403, 'code_refused']);
    assert.equal((await disable({ password, code: codeOf(secret) })).status, 200);
    assert.equal((await disable({ password, code: codeOf(secret) })).json.code, 'second_factor_missing');
    const again = cookieOf(await signIn(email, password, aNetwork()));
    assert.equal(await statusOf(again), 200);

    await enrol(again);
    const admin = await aMember('Admin');
    const remove = (who: object) => call('DELETE', `/v1/admin/users/${id}/second-factor`, undefined, who);
    assert.equal((await remove(as(admin.cookie))).status, 403, 'of a workspace');
    const waiting = await firstStep(email);
    assert.equal((await remove({})).status, 200);
    assert.equal(await statusOf(again), 401);
    assert.equal((await verify(waiting, codeOf(secret))).status, 401);
    assert.equal((await signIn(email, password, aNetwork())).json.person.second_factor, false);
  });

  test('stays when the password is reset, which ends sign-ins that wait for it', async () => {
    const { email, secret, id } = await aGuardedMember();
    const waiting = await firstStep(email);
    const { json: link } = await call('POST', `/v1/admin/users/${id}/password-reset`);
    const reset = { token: link.token, password: 'another long one' };
    assert.equal((await call('POST', '/v1/auth/password-reset', reset, { key: null })).status, 200);
    assert.deepEqual(codeIn(await verify(waiting, codeOf(secret))), [401, 'sign_in_refused']);
    const { json } = await signIn(email, 'another long one', aNetwork());
    assert.equal((await verify(json.second_factor.token, codeOf(secret))).status, 200);
  });

  test('does not let in who was deactivated, or whose token is too old or made up', async () => {
    const { email, secret, id } = await aGuardedMember();
    assert.deepEqual(codeIn(await verify('ats2_made-up', codeOf(secret))), [401, 'sign_in_refused']);
    const late = await firstStep(email);
    await query("update sign_in_steps set expires_at = now() - interval '1 s' where person_id = $1", [id]);
    assert.deepEqual(codeIn(await verify(late, codeOf(secret))), [401, 'sign_in_refused']);
    const waiting = await firstStep(email);
    await call('PATCH', `/v1/admin/users/${id}`, { active: false });
    assert.deepEqual(codeIn(await verify(waiting, codeOf(secret), aNetwork())), [401, 'sign_in_refused']);
  });
});

suite('guesses of codes', () => {
  test('wait for one account from one network, and a right password forgives none', async () => {
    const [one, two] = [await aGuardedMember(), await aGuardedMember()];
    const from = aNetwork();
    const token = await firstStep(one.email);
    const guess = () => verify(token, wrongCode(one.secret), from);
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries++) statuses.push((await guess()).status);
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
    const fresh = await firstStep(one.email);
    for (let looks = 0; looks < 60 && (await guess()).status === 429; looks++)
      await new Promise((go) => setTimeout(go, 50));
    const slowed = await verify(fresh, codeOf(one.secret), from);
    assert.deepEqual([slowed.status, Number(slowed.headers['retry-after']) > 0], [429, true]);
    assert.equal((await verify(await firstStep(two.email), codeOf(two.secret), from)).status, 200);
    assert.equal((await verify(await firstStep(one.email), codeOf(one.secret), aNetwork())).status, 200);
  });

  test('end a sign-in after ten, from however many networks and at whatever moment', async () => {
    const { email, secret } = await aGuardedMember();
    const token = await firstStep(email);
    const wrong = wrongCode(secret);
    const answers = await Promise.all(Array.from({ length: 14 }, () => verify(token, wrong, aNetwork())));
    assert.equal(answers.filter(({ status }) => status === 403).length, 10);
    assert.equal(answers.filter(({ status }) => status === 401).length, 4);
    assert.deepEqual(codeIn(await verify(token, codeOf(secret), aNetwork())), [401, 'sign_in_refused']);
  });
});

suite('a second factor that the organization requires', () => {
  const policy = (patch: object) => call('PATCH', '/v1/admin/sign-in-policy', patch);

  test('leaves people without one nothing but to enrol it, in sessions that they have too', async () => {
    const { cookie, email } = await aMember('Admin');
    const guarded = await aGuardedMember();
    assert.equal((await call('GET', '/v1/agents', undefined, as(cookie))).status, 200);
    assert.equal((await policy({ second_factor_required: true })).json.second_factor_required, true);
    try {
      let refusals = 0;
      for (const route of app.routes) {
        if (route.before_second_factor || ['open', 'link', 'scim'].includes(String(route.permission))) continue;
        const { method, path: pattern } = methodAndPath(route);
        const answer = await call(method, pattern.replaceAll(/\{\w+\}/g, home), undefined, as(cookie));
        const { code } = answer.json.error ?? answer.json;
        assert.deepEqual([answer.status, code], [403, 'second_factor_required'], route.route);
        refusals++;
      }
      assert.ok(refusals > 200, String(refusals));
      const mcp = await call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, as(cookie));
      assert.equal(mcp.status, 403);
      assert.equal((await call('GET', '/v1/auth/session', undefined, as(cookie))).json.must_enrol_second_factor, true);
      assert.equal((await call('GET', '/v1/agents', undefined, as(guarded.cookie))).status, 200);
      assert.equal((await call('GET', '/v1/agents')).status, 200, 'keys are not affected');

      const fresh = await signIn(email, password, aNetwork());
      assert.equal(fresh.json.must_enrol_second_factor, true);
      const session = cookieOf(fresh);
      await enrol(session);
      assert.equal((await call('GET', '/v1/agents', undefined, as(session))).status, 200);
      assert.equal((await call('GET', path, undefined, as(session))).json.required, true);
    } finally {
      await policy({ second_factor_required: false });
    }
  });

  test('is asked for after a sign-in at a provider only where the organization says so', async () => {
    const provider = await startProvider(testing, {
      create_accounts: true,
      default_membership: { group_id: home, role_id: roleNamed('Reader') },
    });
    const email = 'di@example.com';
    provider.accounts.set('di', { email, email_verified: true, name: 'Di' });
    const browser = aBrowser(testing);
    await browser.signIn(provider, 'di');
    try {
      await policy({ second_factor_required: true });
      assert.equal((await call('GET', '/v1/agents', undefined, as(browser.cookies()))).status, 200);
      await policy({ second_factor_for_identity_providers: true });
      assert.equal((await call('GET', '/v1/agents', undefined, as(browser.cookies()))).status, 403);
      // The account has no password to ask for.
      const { json } = await call('POST', path, {}, as(browser.cookies()));
      const code = codeOf(json.secret);
      assert.equal((await call('POST', `${path}/confirm`, { code }, as(browser.cookies()))).status, 200);
      assert.equal((await call('GET', '/v1/agents', undefined, as(browser.cookies()))).status, 200);
      const link = { identity_provider_id: provider.id };
      const linked = await call('POST', '/v1/auth/identities', link, as(browser.cookies()));
      assert.deepEqual(codeIn(linked), [403, 'code_refused'], 'a session alone links nothing');

      const second = aBrowser(testing);
      const back = await second.signIn(provider, 'di', '/agents?x=1#part');
      const [, token = ''] = /^\/agents\?x=1#second_factor_token=(ats2_[\w-]{43})$/.exec(back.location) ?? [];
      assert.equal(second.cookies(), '', 'no session yet');
      assert.deepEqual(codeIn(await verify(token, code)), [403, 'code_refused']);
      const done = await verify(token, codeOf(json.secret, 1));
      assert.equal(done.status, 200, done.text);
      const out = await call('POST', '/v1/auth/sign-out', undefined, as(cookieOf(done)));
      assert.equal(new URL(out.json.end_session_url).origin, provider.issuer);

      await policy({ second_factor_for_identity_providers: false });
      assert.equal((await second.signIn(provider, 'di')).location, '/done');
      assert.match(second.cookies(), /^atrium_session=/);
    } finally {
      await policy({ second_factor_required: false, second_factor_for_identity_providers: false });
    }
  });
});
