import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { anAddress, as, cookieOf, makePeopleIn, password } from '../testing.ts';

const testing = await testApp({
  ...{ roles: ['http', 'worker'], trusted_proxies: ['loopback'], failed_keys_per_address: 5 },
});
const { call, query } = testing;
const { home, roleNamed, invite, accept, signIn, aMember } = await makePeopleIn(testing);
const alive = async (cookie: string) => (await call('GET', '/v1/auth/session', undefined, as(cookie))).status;
/** An address of its own, so that tests do not slow each other. */
let networks = 0;
const aNetwork = () => ({ 'x-forwarded-for': `198.51.100.${++networks}` });

test('refuses to sign a browser in for a page of another site, however the path is written', async () => {
  for (const path of ['/v1/auth/sign-in', '/v1/%61uth/sign-in', '/v1/auth/%73ign-in', '/%76%31/auth/sign-in?x=1']) {
    const headers = { origin: 'https://evil.example' };
    const answer = await call('POST', path, { email: anAddress(), password }, { key: null, headers });
    assert.deepEqual([answer.status, answer.json.code], [403, 'origin_refused'], path);
  }
});

test('a session that was fixed before sign-in, or copied before its end, opens nothing', async () => {
  const { email, cookie: attackers } = await aMember('Reader');
  const victim = await aMember('Reader');
  const [name = ''] = victim.cookie.split('=');
  const planted = `${name}=ats_${'A'.repeat(43)}`;
  for (const sent of [planted, attackers]) {
    const fresh = cookieOf(await signIn(victim.email, password, { ...aNetwork(), cookie: sent }));
    assert.notEqual(fresh, sent);
    const { json } = await call('GET', '/v1/auth/session', undefined, as(fresh));
    assert.equal(json.person.email, victim.email);
  }
  assert.equal(await alive(planted), 401);
  assert.equal((await call('GET', '/v1/auth/session', undefined, as(attackers))).json.person.email, email);

  // A thief keeps a copy of the cookie; the person signs out, or changes the password in another session.
  const copied = cookieOf(await signIn(victim.email, password, aNetwork()));
  assert.equal(await alive(copied), 200);
  assert.equal((await call('POST', '/v1/auth/sign-out', {}, as(copied))).status, 200);
  assert.equal(await alive(copied), 401, 'after sign-out');
  const stolen = cookieOf(await signIn(victim.email, password, aNetwork()));
  const change = { current: password, password: 'quite another password' };
  assert.equal((await call('POST', '/v1/auth/password', change, as(victim.cookie))).status, 200);
  assert.deepEqual([await alive(stolen), await alive(victim.cookie)], [401, 200], 'after a new password');
});

suite('guesses of passwords', () => {
  test('count each when many are sent at the same moment', async () => {
    const { email } = await aMember('Reader');
    const from = aNetwork();
    const round = () => Promise.all(Array.from({ length: 8 }, () => signIn(email, 'not the password', from)));
    const statuses = [...(await round()), ...(await round())].map(({ status }) => status);
    const looked = statuses.filter((status) => status === 401).length;
    assert.ok(looked <= 6, `${looked} guesses were looked at`);
    assert.ok(statuses.every((status) => status === 401 || status === 429));
  });

  test('count together for all spellings of an address', async () => {
    const { token, email } = await invite(roleNamed('Reader'), { email: `iii-${randomUUID()}@example.com` });
    await accept(token);
    const from = aNetwork();
    assert.equal((await signIn(email.replace('i', 'İ'), password, from)).status, 401);
    for (const spelled of [email, email.toUpperCase(), email.replace('i', 'I'), email, email])
      await signIn(spelled, 'not the password', from);
    assert.equal((await signIn(email, password, from)).status, 429);
  });

  test('cost nothing with a made-up link: no password is hashed for it', async () => {
    const { email } = await aMember('Reader');
    const start = cpuTime();
    await signIn(email, password, aNetwork());
    const ofOneHash = cpuTime() - start;
    const begun = cpuTime();
    const flood = ['/v1/auth/claim', '/v1/auth/password-reset', '/v1/auth/invitations/accept'].flatMap((path) =>
      Array.from({ length: 100 }, () => {
        const link = { token: 'atl_made-up', password };
        const person = path.endsWith('reset') ? {} : { name: 'Eve' };
        const account = path.endsWith('claim') ? { email: anAddress() } : {};
        return call('POST', path, { ...link, ...person, ...account }, { key: null });
      }),
    );
    assert.equal((await signIn(email, password, aNetwork())).status, 200);
    for (const { status } of await Promise.all(flood)) assert.ok(status === 403 || status === 404, String(status));
    const ofFlood = cpuTime() - begun;
    assert.ok(ofFlood < 100 * ofOneHash, `300 requests took ${ofFlood} ms, one hash ${ofOneHash} ms`);
  });

  test('with one valid link are hashed only a few at a time', async () => {
    const { email } = await aMember('Reader');
    const { token } = await invite(roleNamed('Reader'), { email });
    const from = aNetwork();
    const answers = await Promise.all(Array.from({ length: 30 }, () => accept(token, from)));
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 409).length, 8);
    assert.equal(statuses.filter((status) => status === 429).length, 22);
  });
});

suite('sessions', () => {
  test('are not started with a password that was replaced while it was compared', async () => {
    const { id, email } = await aMember('Reader');
    const other = await aMember('Reader');
    // One transaction, open while the old password is compared.
    const changing = query(`
      update people set password_hash = (select password_hash from people where id = '${other.id}') where id = '${id}';
      delete from sessions where person_id = '${id}';
      select pg_sleep(0.7)`);
    await until('the transaction has changed the password', async () => {
      const [row] = await query(`select 1 from pg_stat_activity where wait_event = 'PgSleep'
        and datname = current_database()`);
      return row;
    });
    assert.equal((await signIn(email, password, aNetwork())).status, 401);
    await changing;
    assert.deepEqual(await query('select id from sessions where person_id = $1', [id]), []);
    assert.equal((await signIn(email, password, aNetwork())).status, 200);
  });

  test('that have ended are answered 401 however often, and slow no key of their address', async () => {
    const { cookie } = await aMember('Reader');
    await call('POST', '/v1/auth/sign-out', undefined, as(cookie));
    const from = aNetwork();
    for (let count = 0; count < 20; count++)
      assert.equal((await call('GET', '/v1/agents', undefined, as(cookie, from))).status, 401);
    assert.equal((await call('GET', '/v1/agents', undefined, { key: 'a wrong one', headers: from })).status, 401);
  });

  test('are not taken for idle when another node has seen them since', async () => {
    const { cookie, session_id } = await aMember('Reader');
    const used = (ago: string) =>
      query(`update sessions set used_at = now() - interval '${ago}' where id = $1`, [session_id]);
    await used('23 hours 59 minutes 58 seconds');
    await query('select pg_notify(\'atrium_bell\', \'["keys",""]\')');
    await new Promise((go) => setTimeout(go, 50));
    assert.equal(await alive(cookie), 200);
    await used('1 second');
    await new Promise((go) => setTimeout(go, 2100));
    assert.equal(await alive(cookie), 200);
  });

  test('of a person without a workspace can be ended with an Idempotency-Key', async () => {
    const { id, email } = await aMember('Reader');
    await call('DELETE', `/v1/admin/groups/${home}/members/${id}`);
    const lone = cookieOf(await signIn(email, password, aNetwork()));
    assert.equal((await call('GET', '/v1/agents', undefined, as(lone))).json.code, 'no_workspace');
    const out = await call('POST', '/v1/auth/sign-out', undefined, as(lone, { 'idempotency-key': randomUUID() }));
    assert.equal(out.status, 200, out.text);
    assert.equal(await alive(lone), 401);
  });

  test('and links are deleted when their time is over', async () => {
    const { session_id } = await aMember('Reader');
    const { cookie: kept, session_id: kept_id } = await aMember('Reader');
    const { id: link_id } = await invite(roleNamed('Reader'));
    await query("update sessions set expires_at = now() - interval '1 s' where id = $1", [session_id]);
    await query("update one_time_links set expires_at = now() - interval '1 s' where id = $1", [link_id]);
    await query("select graphile_worker.add_job('people.remove-ended', '{}')");
    const left = () =>
      query('select id from sessions where id = any($1) union select id from one_time_links where id = $2', [
        [session_id, kept_id],
        link_id,
      ]);
    for (let looks = 0; looks < 200 && (await left()).length > 1; looks++)
      await new Promise((go) => setTimeout(go, 25));
    assert.deepEqual(await left(), [{ id: kept_id }]);
    assert.equal(await alive(kept), 200);
  });
});

test('behind TLS only the cookie that another host can not set is a session', async () => {
  const secure = await testApp({ public_url: 'https://atrium.example' });
  let token = '';
  await secure.app.showClaim(async (printed) => {
    token = printed;
  });
  const claim = { token, name: 'Ada', email: anAddress(), password };
  const made = await secure.call('POST', '/v1/auth/claim', claim, { key: null });
  assert.match(
    String(made.headers['set-cookie']),
    /^__Host-atrium_session=ats_[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  const value = cookieOf(made).split('=')[1];
  const ask = (cookie: string, origin: string) =>
    secure.call('POST', '/v1/agents', { name: 'x' }, { key: null, headers: { cookie, origin } });
  const [own, planted] = [`__Host-atrium_session=${value}`, `atrium_session=${value}`];
  assert.equal((await ask(own, 'https://atrium.example')).status, 200);
  assert.equal((await ask(planted, 'https://atrium.example')).status, 401);
  for (const origin of ['http://atrium.example', 'https://sub.atrium.example', 'https://atrium.example:8443'])
    assert.equal((await ask(own, origin)).json.code, 'origin_refused', origin);
});

test('a session sent to /mcp needs our Origin, and acts as its person', async () => {
  const { cookie } = await aMember('Reader');
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const ask = (headers: Record<string, string>) =>
    call('POST', '/mcp', body, { key: null, headers: { accept: 'application/json, text/event-stream', ...headers } });
  for (const headers of [{}, { origin: 'http://localhost:3000' }, { origin: 'https://evil.example' }])
    assert.equal((await ask({ cookie, ...headers })).status, 403, JSON.stringify(headers));
  assert.equal((await ask(as(cookie).headers)).status, 200);
});
