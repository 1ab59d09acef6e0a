import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, testApp } from '../../../../test/support/test-app.ts';
import { anAddress, as, makePeopleIn, password } from '../testing.ts';
import { hashPassword } from './passwords.ts';

const testing = await testApp();
const { app, call, query, logged } = testing;
const { roleNamed, invite, aMember, signIn } = await makePeopleIn(testing);

const post = (path: string, body: object) => call('POST', path, body, { key: null });
const resetLink = async (id: string) => (await call('POST', `/v1/admin/users/${id}/password-reset`)).json.token;

/** Checks that an answer refuses the field `password`, says what to do and does not repeat what was sent. */
function isRefusal({ status, json, text }: Answer, word: string, advice: RegExp) {
  assert.equal(status, 422, `${word}: ${text}`);
  assert.deepEqual(json.detail[0].loc, ['body', 'password']);
  assert.match(json.detail[0].msg, advice);
  assert.ok(!text.includes(word), text);
}
const common = ['password1234', 'P@ssw0rd1234', 'qwertyuiop123', 'trustno1trustno1', '123456789012', 'aaaaaaaaaaaa'];
const easy = /easy to guess; use several words that do not belong together/;

test('refuses a common password when the server is claimed, and the claim token works on', async () => {
  let token = '';
  await app.showClaim(async (printed) => {
    token = printed;
  });
  const claim = (word: string) =>
    post('/v1/auth/claim', { token, name: 'Ada Byron', email: 'countess@example.com', password: word });
  for (const word of common) isRefusal(await claim(word), word, easy);
  for (const word of ['Byron rides to Ithaca', 'the countess and the duke', 'a glass atrium in winter'])
    isRefusal(await claim(word), word, /contains your name, your address or the name of the product/);
  assert.equal((await claim(password)).status, 200);
});

test('refuses a common password when an invitation is accepted, and the invitation works on', async () => {
  const { token } = await invite(roleNamed('Reader'), { email: `marmalade.${anAddress()}` });
  const accept = (word: string) => post('/v1/auth/invitations/accept', { token, name: 'Zebulon', password: word });
  for (const word of common) isRefusal(await accept(word), word, easy);
  for (const word of ['ZEBULON rides to Ithaca', 'toast with marmalade please'])
    isRefusal(await accept(word), word, /contains your name/);
  assert.equal((await accept(password)).status, 200);
});

test('refuses a common password when it is changed or reset, and the password before works on', async () => {
  const { id, email, cookie } = await aMember('Reader');
  const token = await resetLink(id);
  for (const word of common) {
    isRefusal(await call('POST', '/v1/auth/password', { current: password, password: word }, as(cookie)), word, easy);
    isRefusal(await post('/v1/auth/password-reset', { token, password: word }), word, easy);
  }
  const local = email.split('@')[0] as string;
  isRefusal(await post('/v1/auth/password-reset', { token, password: local }), local, /contains your name/);
  assert.equal((await signIn(email)).status, 200);
  assert.equal((await post('/v1/auth/password-reset', { token, password: 'quite another password' })).status, 200);
  assert.equal((await signIn(email, 'quite another password')).status, 200);
});

test('refuses new passwords of fewer than 12 characters', async () => {
  const { id } = await aMember('Reader');
  const token = await resetLink(id);
  const short = await post('/v1/auth/password-reset', { token, password: 'xK3$vq9!Lm2' });
  assert.deepEqual([short.status, short.json.detail[0].ctx.min_length], [422, 12]);
  assert.equal((await post('/v1/auth/password-reset', { token, password: 'xK3$vq9!Lm2z' })).status, 200);
});

test('tells a caller without a valid link or password nothing about a common password', async () => {
  const { cookie } = await aMember('Reader');
  const word = 'password1234';
  const change = await call('POST', '/v1/auth/password', { current: 'not it', password: word }, as(cookie));
  assert.equal(change.json.code, 'password_refused');
  assert.equal((await post('/v1/auth/password-reset', { token: 'atl_wrong', password: word })).status, 403);
  assert.equal(
    (await post('/v1/auth/invitations/accept', { token: 'atl_wrong', name: 'Bo', password: word })).status,
    404,
  );
});

test('signs a person in with a common password that was set before', async () => {
  const { id, email } = await aMember('Reader');
  await query('update people set password_hash = $2 where id = $1', [id, await hashPassword('password1')]);
  assert.equal((await signIn(email, 'password1')).status, 200);
  assert.ok(!logged.some((line) => /password1|P@ssw0rd|qwertyuiop/.test(line)));
});
