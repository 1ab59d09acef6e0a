import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMailServer } from '../../../../test/support/mail-server.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { eventually } from '../../channels/testing.ts';
import { decodeSecret, stepAt, totpCode } from '../second-factors/totp.ts';
import { anAddress, as, makePeopleIn, password } from '../testing.ts';

const smtp = await startMailServer();
const settings = {
  ...{ server: smtp.settings, from: { name: 'Atrium', address: 'no-reply@atrium.example' } },
  public_url: 'https://atrium.example',
};
const testing = await testApp({ roles: ['http', 'worker'], mail: settings });
const { call, query } = testing;
const people = await makePeopleIn(testing);
const { value: directory } = (await call('POST', '/v1/admin/scim-tokens', { name: 'Directory' })).json;

const noticesTo = (address: string) =>
  smtp.mails.filter(({ recipients, subject }) => recipients.includes(address) && !subject?.includes('invited'));
/** Waits for the next notice to an address. */
const notice = async (address: string, count = 1) => {
  const found = await eventually(() => noticesTo(address)[count - 1], `notice ${count} to ${address}`);
  assert.deepEqual([found.html, found.recipients], [undefined, [address]]);
  return { subject: found.subject ?? '', text: found.text ?? '' };
};
const codeOf = (secret: string) => totpCode(decodeSecret(secret), stepAt(Date.now()));
const laterOn = (id: string) => query('update second_factors set last_step = 0 where person_id = $1', [id]);
const path = '/v1/auth/second-factor';

async function enrol(cookie: string, id: string) {
  const { secret } = (await call('POST', path, { password }, as(cookie))).json;
  const confirmed = await call('POST', `${path}/confirm`, { code: codeOf(secret) }, as(cookie));
  assert.equal(confirmed.status, 200, confirmed.text);
  await laterOn(id);
  return { secret: secret as string, codes: confirmed.json.recovery_codes as string[] };
}

const scim = (method: string, at: string, body: object) =>
  call(method, `/scim/v2${at}`, JSON.stringify(body), {
    key: null,
    headers: { authorization: `Bearer ${directory}`, 'content-type': 'application/scim+json' },
  });

test('mails a person when they change their password, without the password', async () => {
  const { email, cookie } = await people.aMember('Reader');
  const word = 'quite another password';
  assert.equal(
    (await call('POST', '/v1/auth/password', { current: password, password: word }, as(cookie))).status,
    200,
  );
  const { subject, text } = await notice(email);
  assert.equal(subject, 'Your Atrium password was changed');
  assert.match(text, /^Hello Bo,\n/);
  assert.match(text, /ask an administrator of your organization at once/);
  assert.ok(!text.includes(word) && !text.includes(password) && !text.includes('token='));
});

test('mails a person when their password is set with a link of an administrator', async () => {
  const { email, id } = await people.aMember('Reader');
  const { token } = (await call('POST', `/v1/admin/users/${id}/password-reset`)).json;
  const reset = await call(
    'POST',
    '/v1/auth/password-reset',
    { token, password: 'quite another password' },
    { key: null },
  );
  assert.equal(reset.status, 200, reset.text);
  const { subject, text } = await notice(email);
  assert.equal(subject, 'Your Atrium password was changed');
  assert.match(text, /with a link/);
});

test('mails a person when their second factor is turned on, its codes are renewed and it is turned off', async () => {
  const { email, cookie, id } = await people.aMember('Reader');
  const { secret, codes } = await enrol(cookie, id);
  assert.equal((await notice(email)).subject, 'A second factor protects your Atrium account now');
  const renewed = await call('POST', `${path}/recovery-codes`, { code: codeOf(secret) }, as(cookie));
  assert.equal(renewed.status, 200, renewed.text);
  assert.equal((await notice(email, 2)).subject, 'Your Atrium recovery codes were replaced');
  await laterOn(id);
  assert.equal((await call('POST', `${path}/disable`, { password, code: codeOf(secret) }, as(cookie))).status, 200);
  assert.equal((await notice(email, 3)).subject, 'The second factor of your Atrium account was removed');
  const texts = noticesTo(email).map(({ text }) => text);
  for (const word of [secret, ...codes, ...renewed.json.recovery_codes]) assert.ok(!texts.join('\n').includes(word));
});

test('mails a person when an administrator removes their second factor, and not when there was none', async () => {
  const { email, cookie, id } = await people.aMember('Reader');
  const remove = () => call('DELETE', `/v1/admin/users/${id}/second-factor`);
  assert.equal((await remove()).status, 200);
  await enrol(cookie, id);
  await notice(email);
  assert.equal((await remove()).status, 200);
  const { subject, text } = await notice(email, 2);
  assert.equal(subject, 'The second factor of your Atrium account was removed');
  assert.match(text, /An administrator/);
  assert.equal((await remove()).status, 200);
  assert.equal(noticesTo(email).length, 2);
});

test('mails the old and the new address when SCIM changes it, also of an account that it deactivates', async () => {
  for (const active of [true, false]) {
    const [old, fresh] = [anAddress(), anAddress()];
    const made = await scim('POST', '/Users', { userName: old, displayName: 'Ada' });
    assert.equal(made.status, 201, made.text);
    const emails = [{ value: fresh, primary: true }];
    const changed = await scim('PUT', `/Users/${made.json.id}`, { userName: old, displayName: 'Ada', emails, active });
    assert.equal(changed.status, 200, changed.text);
    const [before, after] = [await notice(old), await notice(fresh)];
    for (const { subject, text } of [before, after]) {
      assert.equal(subject, 'The mail address of your Atrium account was changed');
      assert.match(text, /directory of your organization/);
    }
    assert.ok(!before.text.includes(fresh), 'the old mailbox does not learn the new address');
    const same = await scim('PUT', `/Users/${made.json.id}`, { userName: old, displayName: 'Eve', emails, active });
    assert.equal(same.status, 200, same.text);
  }
  await eventually(async () => (await query('select 1 from outgoing_mails')).length === 0 || undefined);
  assert.equal(smtp.mails.filter(({ subject }) => subject?.includes('mail address')).length, 4);
});

test('changes a password where no mail server is set', async () => {
  const plain = await testApp();
  const others = await makePeopleIn(plain);
  const { cookie } = await others.aMember('Reader');
  const change = { current: password, password: 'quite another password' };
  assert.equal((await plain.call('POST', '/v1/auth/password', change, as(cookie))).status, 200);
  assert.deepEqual(await plain.query('select 1 from outgoing_mails'), []);
});
