import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { makeGuardedWeb } from '../../drivers/web/guarded-fetch.ts';
import { validationErrorsOf } from '../agents/testing.ts';
import { makeVaultSessions } from './sessions.ts';
import { startFakeVault } from './testing.ts';
import { makeVaultClient, type VaultAccess, VaultError } from './vault-client.ts';

const vault = await startFakeVault();
const app = await testApp({ web_allow: ['127.0.0.1'] });
const closed = await testApp();
const path = '/v1/vault-credentials';
const secret = 'hvs.root-token-0123456789';
vault.addToken(secret);

const web = makeGuardedWeb({ allow: ['127.0.0.1'] });
const client = makeVaultClient(web);
const access = (changes: Partial<VaultAccess>): VaultAccess => ({
  address: vault.address,
  namespace: null,
  mount: 'secret',
  auth_method: 'token',
  auth_mount: 'approle',
  role_id: null,
  token: secret,
  secret_id: null,
  ...changes,
});

test('a credential is made, listed, changed and removed, and its secrets never come out', async () => {
  const made = await app.call('POST', path, { name: 'one', address: vault.address, token: secret });
  assert.equal(made.status, 200, made.text);
  const { id } = made.json;
  assert.partialDeepStrictEqual(made.json, {
    mount: 'secret',
    auth_method: 'token',
    namespace: null,
    token: '********',
    secret_id: null,
  });
  const renamed = await app.call('PATCH', `${path}/${id}`, { name: 'two', namespace: 'team' });
  assert.partialDeepStrictEqual(renamed.json, { name: 'two', namespace: 'team', token: '********' });
  const list = await app.call('GET', path);
  assert.deepEqual([list.json.total, list.json.items[0].name], [1, 'two']);
  const rows = await app.query('select * from vault_credentials');
  for (const text of [made.text, renamed.text, list.text, JSON.stringify(rows), app.logged.join('')])
    assert.ok(!text.includes(secret));
  assert.equal((await app.call('DELETE', `${path}/${id}`)).status, 200);
  assert.equal((await app.call('GET', `${path}/${id}`)).status, 404);
});

test('a mask that is sent back keeps the token', async () => {
  const { id, ...shown } = (await app.call('POST', path, { name: 'kept', address: vault.address, token: secret })).json;
  const patched = await app.call('PATCH', `${path}/${id}`, { name: 'still', token: shown.token });
  assert.deepEqual([patched.status, patched.json.token], [200, '********']);
  const { status, text } = await app.call('POST', `${path}/${id}/test`);
  assert.equal(status, 200, text);
  assert.match(text, /"success":true/);
});

test('names are unique, and what a method needs is asked for', async () => {
  const body = { name: 'same', address: vault.address, token: secret };
  await app.call('POST', path, body);
  assert.equal((await app.call('POST', path, body)).status, 409);
  const role = { name: 'role', address: vault.address, auth_method: 'approle' };
  assert.deepEqual(validationErrorsOf(await app.call('POST', path, role)), ['body.role_id: value_error']);
  assert.deepEqual(validationErrorsOf(await app.call('POST', path, { ...role, role_id: 'r' })), [
    'body.secret_id: value_error',
  ]);
  for (const address of ['ftp://x', 'https://user@vault', 'vault:8200'])
    assert.deepEqual(validationErrorsOf(await app.call('POST', path, { ...body, address })), [
      'body.address: string_pattern_mismatch',
    ]);
  for (const mount of ['../sys', 'a/../b', '/kv', 'kv/', 'a b', '.'])
    assert.deepEqual(
      validationErrorsOf(await app.call('POST', path, { ...body, mount })),
      ['body.mount: string_pattern_mismatch'],
      mount,
    );
});

test('a credential is not sent to another address without being given again', async () => {
  const { json } = await app.call('POST', path, { name: 'moved', address: vault.address, token: secret });
  const elsewhere = await app.call('PATCH', `${path}/${json.id}`, { address: 'https://elsewhere.example' });
  assert.deepEqual(validationErrorsOf(elsewhere), ['body.address: value_error']);
  const given = await app.call('PATCH', `${path}/${json.id}`, { address: 'https://elsewhere.example', token: 'other' });
  assert.equal(given.json.address, 'https://elsewhere.example');
});

test('a test says whether the vault accepts the credential, in words that hold nothing of it', async () => {
  vault.addRole('reader', 'right-secret-id');
  const tried = async (body: object, on = app) => {
    const { json } = await on.call('POST', path, { name: `t${Math.random()}`, address: vault.address, ...body });
    return (await on.call('POST', `${path}/${json.id}/test`)).json;
  };
  const approle = { auth_method: 'approle', role_id: 'reader' };
  assert.partialDeepStrictEqual(await tried({ token: secret }), { success: true, status: 200 });
  assert.partialDeepStrictEqual(await tried({ ...approle, secret_id: 'right-secret-id' }), { success: true });
  assert.partialDeepStrictEqual(await tried({ token: 'hvs.wrong' }), { success: false, status: 403 });
  const wrong = await tried({ ...approle, secret_id: 'wrong-secret-id' });
  assert.partialDeepStrictEqual(wrong, { success: false, status: 400 });
  assert.ok(!JSON.stringify(wrong).includes('wrong-secret-id'));
  const nobody = await tried({ address: 'http://127.0.0.1:9', token: 'x' });
  assert.match(nobody.message, /^The vault could not be reached: /);
  const { json: named } = await closed.call('POST', path, {
    name: 'inner',
    address: 'http://vault.example',
    token: secret,
  });
  await closed.query('update vault_credentials set address = $2 where id = $1', [named.id, vault.address]);
  const { json: guarded } = await closed.call('POST', `${path}/${named.id}/test`);
  assert.deepEqual([guarded.success, guarded.status], [false, null]);
  assert.match(guarded.message, /private or reserved address/);
});

test('a namespace is sent along, and mounts with several parts are found', async () => {
  vault.addToken('hvs.team', { namespace: 'team/a' });
  vault.put('kv/app/db', { password: 'p' }, 'team/a');
  const own = access({ token: 'hvs.team', namespace: 'team/a', mount: 'kv' });
  assert.deepEqual(await makeVaultSessions(client).read('n', own, 'app/db'), { password: 'p' });
  await assert.rejects(makeVaultSessions(client).read('n', { ...own, namespace: null }, 'app/db'), VaultError);
});

test('caches a secret for a minute, and does not cache a failure', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const sessions = makeVaultSessions(client);
  await assert.rejects(sessions.read('c', access({}), 'late'), /nothing at this path/);
  vault.put('secret/late', { a: 1 });
  const before = vault.asked(/data\/late/);
  const both = await Promise.all([sessions.read('c', access({}), 'late'), sessions.read('c', access({}), 'late')]);
  vault.put('secret/late', { a: 2 });
  assert.deepEqual([...both, await sessions.read('c', access({}), 'late')], [{ a: 1 }, { a: 1 }, { a: 1 }]);
  assert.equal(vault.asked(/data\/late/), before + 1);
  t.mock.timers.tick(61_000);
  assert.deepEqual(await sessions.read('c', access({}), 'late'), { a: 2 });
});

test('a role logs in once, renews past half its time, and logs in anew when its token was ended', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  vault.addRole('worker', 's', { mount: 'team/approle', ttl: 600 });
  vault.put('secret/w', { k: 'v' });
  const own = access({ auth_method: 'approle', auth_mount: 'team/approle', role_id: 'worker', secret_id: 's' });
  const sessions = makeVaultSessions(client);
  const count = () => [vault.asked(/team\/approle\/login/), vault.asked(/renew-self/)];
  await sessions.read('r', own, 'w');
  t.mock.timers.tick(100_000);
  await sessions.read('r', own, 'w');
  assert.deepEqual(count(), [1, 0]);
  t.mock.timers.tick(250_000);
  await sessions.read('r', own, 'w');
  assert.deepEqual(count(), [1, 1]);
  vault.endTokens();
  t.mock.timers.tick(61_000);
  assert.deepEqual(await sessions.read('r', own, 'w'), { k: 'v' });
  assert.deepEqual(count(), [2, 1]);
  t.mock.timers.tick(10_000_000);
  vault.endTokens();
  assert.deepEqual(await sessions.read('r', own, 'w'), { k: 'v' });
});

test('a token that can be renewed is, and one that ended is refused by name of the trouble', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  vault.addToken('hvs.periodic', { ttl: 100, renewable: true });
  vault.put('secret/p', { k: 'v' });
  const sessions = makeVaultSessions(client);
  const own = access({ token: 'hvs.periodic' });
  const before = vault.asked(/renew-self/);
  await sessions.read('p', own, 'p');
  t.mock.timers.tick(70_000);
  await sessions.read('p', own, 'p');
  assert.equal(vault.asked(/renew-self/), before + 1);
  vault.endTokens();
  t.mock.timers.tick(70_000);
  await assert.rejects(sessions.read('p', own, 'p'), /refused permission/);
  vault.addToken(secret);
});
