import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { makeApp } from '../../app.ts';
import { makeLog } from '../../lib/log.ts';

const { call, workspace, query, admin } = await testApp();

const make = (group: string, body: Record<string, unknown>, key = admin) =>
  call('POST', `/v1/admin/groups/${group}/api-keys`, { name: 'k', ...body }, { key });
const me = async (key: string) => (await call('GET', '/v1/admin/me', undefined, { key })).json;
let names = 0;
const makeRole = async (permissions: Record<string, boolean>, more: Record<string, unknown> = {}) =>
  (await call('POST', '/v1/admin/roles', { name: `Role ${++names}`, permissions, ...more })).json;
const defaultRole = async (name: string) =>
  (await call('GET', '/v1/admin/roles')).json.find((role: { name: string }) => role.name === name);

/** What keys of the three workspace roles may do, by the status of a request. */
const requests: { method: string; path: string; body?: unknown; allowed: string[] }[] = [
  { method: 'GET', path: '/v1/agents', allowed: ['Reader', 'Editor', 'Admin'] },
  { method: 'GET', path: '/v1/knowledge-bases', allowed: ['Reader', 'Editor', 'Admin'] },
  { method: 'POST', path: '/v1/agents', body: { name: 'A' }, allowed: ['Editor', 'Admin'] },
  { method: 'GET', path: '/v1/variables', allowed: ['Editor', 'Admin'] },
  { method: 'GET', path: '/v1/admin/groups/{own}/api-keys', allowed: ['Admin'] },
  { method: 'GET', path: '/v1/admin/roles', allowed: [] },
];

for (const name of ['Reader', 'Editor', 'Admin'])
  test(`a key with the role ${name} may do what the role holds and nothing else`, async () => {
    const { id } = await workspace();
    const role = await defaultRole(name);
    const { status, json: made } = await make(id, { role_id: role.id });
    assert.equal(status, 200);
    assert.equal(made.role_id, role.id);
    const held = Object.keys(role.permissions).filter((permission) => role.permissions[permission]);
    assert.deepEqual([...made.permissions].sort(), held.sort());
    for (const { method, path, body, allowed } of requests) {
      const answer = await call(method, path.replace('{own}', id), body, { key: made.value });
      assert.equal(answer.status, allowed.includes(name) ? 200 : 403, `${method} ${path}`);
    }
  });

test('a change of a role acts at once on its keys, on other nodes too', async () => {
  const { id } = await workspace();
  const role = await makeRole({ agents_run: true });
  const { json: key } = await make(id, { role_id: role.id });
  const database = (await query('select current_database() as name'))[0].name as string;
  const other = await makeApp(testConfig('/nowhere'), { ...testServer(), database }, makeLog('silent'));
  const elsewhere = async () =>
    (await other.server.inject({ url: '/v1/agents', headers: { 'x-api-key': key.value } })).statusCode;
  const here = async () => (await call('GET', '/v1/agents', undefined, { key: key.value })).status;
  try {
    assert.deepEqual([await here(), await elsewhere()], [200, 200]);
    const patch = { permissions: { agents_run: false, tables_read: true } };
    assert.equal((await call('PATCH', `/v1/admin/roles/${role.id}`, patch)).status, 200);
    assert.equal(await here(), 403);
    assert.deepEqual((await me(key.value)).permissions, ['tables_read']);
    let status = 0;
    for (let attempt = 0; attempt < 200 && status !== 403; attempt++) status = await elsewhere();
    assert.equal(status, 403);
  } finally {
    await other.close();
  }
});

test('gives a role only when the caller holds all of it', async () => {
  const { id, key } = await workspace();
  const settings = await makeRole({ settings_read: true }, { scope: 'organization' });
  assert.equal((await make(id, { role_id: settings.id }, key)).status, 403);
  assert.equal((await make(id, { role_id: settings.id })).status, 200);
  assert.equal((await make(id, { role_id: (await defaultRole('Admin')).id }, key)).status, 200);
  const reader = (await make(id, { role_id: (await defaultRole('Reader')).id })).json;
  assert.equal((await make(id, { role_id: reader.role_id }, reader.value)).status, 403);
});

test('a role of another workspace and one that does not exist are not found', async () => {
  const [own, other] = [await workspace(), await workspace()];
  const foreign = await makeRole({ agents_run: true }, { group_id: other.id });
  for (const role_id of [foreign.id, '01890000-0000-7000-8000-000000000000'])
    for (const key of [own.key, admin]) {
      const { status, json } = await make(own.id, { role_id }, key);
      assert.deepEqual([status, json.detail], [404, 'No such role']);
    }
  assert.equal((await make(other.id, { role_id: foreign.id }, other.key)).status, 200);
});

test('refuses a role together with permissions, with tenant_admin, and one that holds org:admin', async () => {
  const { id } = await workspace();
  const role = await defaultRole('Reader');
  const all = await defaultRole('Org Admin');
  for (const body of [
    { role_id: role.id, permissions: ['agents_run'] },
    { role_id: role.id, tenant_admin: true },
    { role_id: all.id },
  ]) {
    const { status, json } = await make(id, body);
    assert.equal(status, 422);
    assert.deepEqual(json.detail[0].loc, ['body', 'role_id']);
  }
  const own = await makeRole({ settings_read: true }, { scope: 'organization' });
  await make(id, { role_id: own.id });
  const { status, json } = await call('PATCH', `/v1/admin/roles/${own.id}`, { permissions: { 'org:admin': true } });
  assert.deepEqual([status, json.code], [409, 'role_in_use']);
});

test('a role that keys have is deleted only after they are revoked', async () => {
  const { id } = await workspace();
  const role = await makeRole({ agents_run: true });
  const { json: key } = await make(id, { role_id: role.id });
  const refused = await call('DELETE', `/v1/admin/roles/${role.id}`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'role_in_use']);
  await call('DELETE', `/v1/admin/groups/${id}/api-keys/${key.id}`);
  assert.equal((await call('DELETE', `/v1/admin/roles/${role.id}`)).status, 200);
});

test('a workspace is deleted with its roles and the keys that have them', async () => {
  const { id } = await workspace();
  const role = await makeRole({ agents_run: true }, { group_id: id });
  const { json: key } = await make(id, { role_id: role.id });
  assert.equal((await call('DELETE', `/v1/admin/groups/${id}`)).status, 200);
  assert.equal((await call('GET', '/v1/admin/me', undefined, { key: key.value })).status, 401);
  assert.equal((await call('GET', `/v1/admin/roles/${role.id}`)).status, 404);
});

test('a rotated key keeps its role', async () => {
  const { id, key: administrator } = await workspace();
  const role = await makeRole({ agents_run: true, tables_read: true });
  const { json: key } = await make(id, { role_id: role.id });
  const path = `/v1/admin/groups/${id}/api-keys/${key.id}/rotate`;
  const { json: rotated } = await call('POST', path, {}, { key: administrator });
  assert.deepEqual([rotated.role_id, rotated.permissions], [role.id, key.permissions]);
  await call('PATCH', `/v1/admin/roles/${role.id}`, { permissions: { tables_read: false } });
  assert.deepEqual((await me(rotated.value)).permissions, ['agents_run']);
});
