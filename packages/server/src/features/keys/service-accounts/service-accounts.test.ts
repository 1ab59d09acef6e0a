import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccountKey } from '../../../../test/support/account-key.ts';
import { testApp } from '../../../../test/support/test-app.ts';

const app = await testApp();
const { call, workspace } = app;
const accountsOf = (group_id: string) => `/v1/admin/groups/${group_id}/service-accounts`;
const keysOf = (group_id: string) => `/v1/admin/groups/${group_id}/api-keys`;
const statusOf = async (key: string, path = '/v1/agents') => (await call('GET', path, undefined, { key })).status;

test('a service account is made, listed, changed and deleted, and its keys go with it', async () => {
  const { id: group_id } = await workspace();
  const { value, owner } = await makeAccountKey(app, group_id, ['agents_run']);
  const { json: listed } = await call('GET', accountsOf(group_id));
  assert.equal(listed.length, 1);
  assert.deepEqual(
    [listed[0].id, listed[0].permissions, listed[0].active, listed[0].key_count],
    [owner.id, ['agents_run'], true, 1],
  );
  const changed = await call('PATCH', `${accountsOf(group_id)}/${owner.id}`, { name: 'Renamed' });
  assert.deepEqual([changed.json.name, changed.json.permissions], ['Renamed', ['agents_run']]);
  assert.deepEqual((await call('GET', keysOf(group_id))).json.at(-1).owner, {
    ...{ id: owner.id, name: 'Renamed', kind: 'service_account' },
  });
  assert.equal(await statusOf(value), 200);
  assert.equal((await call('DELETE', `${accountsOf(group_id)}/${owner.id}`)).status, 200);
  assert.equal(await statusOf(value), 401);
  assert.equal((await call('DELETE', `${accountsOf(group_id)}/${owner.id}`)).status, 404);
});

test('a key holds at most what its service account holds now, also through a role', async () => {
  const { id: group_id } = await workspace();
  const role = (await call('POST', '/v1/admin/roles', { name: 'r', group_id, permissions: { agents_run: true } })).json;
  const account = (await call('POST', accountsOf(group_id), { name: 'a', role_id: role.id })).json;
  assert.deepEqual([account.role_id, account.permissions], [role.id, ['agents_run']]);
  const { json: key } = await call('POST', keysOf(group_id), { name: 'k', service_account_id: account.id });
  assert.deepEqual([key.permissions, key.effective_permissions], [['workspace_admin'], ['agents_run']]);
  assert.deepEqual([await statusOf(key.value), await statusOf(key.value, '/v1/tables')], [200, 403]);
  assert.equal((await call('DELETE', `/v1/admin/roles/${role.id}`)).status, 409, 'the role is in use');
  await call('PATCH', `/v1/admin/roles/${role.id}`, { permissions: { agents_run: false, tables_read: true } });
  assert.deepEqual([await statusOf(key.value), await statusOf(key.value, '/v1/tables')], [403, 200]);
  const { json: me } = await call('GET', '/v1/admin/me', undefined, { key: key.value });
  assert.deepEqual([me.permissions, me.effective_permissions], [['workspace_admin'], ['tables_read']]);
  await call('PATCH', `${accountsOf(group_id)}/${account.id}`, { permissions: ['files_read'] });
  assert.deepEqual([await statusOf(key.value, '/v1/tables'), await statusOf(key.value, '/v1/files')], [403, 200]);
});

test('keys of a service account that is not active are refused until it is active again', async () => {
  const { id: group_id } = await workspace();
  const { value, owner } = await makeAccountKey(app, group_id, ['agents_run']);
  await call('PATCH', `${accountsOf(group_id)}/${owner.id}`, { active: false });
  assert.equal(await statusOf(value), 401);
  const refused = await call('POST', keysOf(group_id), { name: 'k', service_account_id: owner.id });
  assert.equal(refused.status, 409, refused.text);
  await call('PATCH', `${accountsOf(group_id)}/${owner.id}`, { active: true });
  assert.equal(await statusOf(value), 200);
});

test('a caller can neither make, change nor use a service account that holds more than it does', async () => {
  const { id: group_id, key } = await workspace(['workspace_admin']);
  const { owner } = await makeAccountKey(app, group_id, ['agents_run', 'audit_read']);
  const at = `${accountsOf(group_id)}/${owner.id}`;
  for (const [method, path, body] of [
    ['POST', accountsOf(group_id), { name: 'x', permissions: ['audit_read'] }],
    ['PATCH', at, { permissions: ['agents_run'] }],
    ['PATCH', at, { active: false }],
    ['DELETE', at, undefined],
    ['POST', keysOf(group_id), { name: 'x', permissions: ['agents_run'], service_account_id: owner.id }],
  ] as const) {
    const answer = await call(method, path, body, { key });
    assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`);
  }
  assert.equal((await call('POST', accountsOf(group_id), { name: 'x', permissions: ['org:admin'] })).status, 422);
  assert.equal((await call('POST', accountsOf(group_id), { name: 'x' })).status, 422, 'neither permissions nor a role');
});

test('a service account of another workspace is not found', async () => {
  const [here, there] = [await workspace(), await workspace()];
  const { owner } = await makeAccountKey(app, there.id, ['agents_run']);
  const own = { key: here.key };
  const body = { name: 'k', service_account_id: owner.id };
  assert.equal((await call('POST', keysOf(here.id), body, own)).status, 404);
  assert.equal((await call('POST', keysOf(here.id), body)).status, 404, 'not even by a system key');
  assert.equal((await call('PATCH', `${accountsOf(here.id)}/${owner.id}`, { name: 'x' }, own)).status, 404);
  assert.equal((await call('PATCH', `${accountsOf(there.id)}/${owner.id}`, { name: 'x' }, own)).status, 404);
});

test('a key does not end its own service account', async () => {
  const { id: group_id } = await workspace();
  const { value: key, owner } = await makeAccountKey(app, group_id, ['workspace_admin']);
  const at = `${accountsOf(group_id)}/${owner.id}`;
  assert.equal((await call('PATCH', at, { active: false }, { key })).status, 409);
  assert.equal((await call('DELETE', at, undefined, { key })).status, 409);
  assert.equal(await statusOf(key), 200);
});
