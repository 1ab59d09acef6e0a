import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  organizationPermissions,
  type Permission,
  permissionDetails,
  workspacePermissions,
} from '@atrium/contract/permissions.ts';
import { testApp } from '../../../test/support/test-app.ts';

const { call, workspace } = await testApp();

test('a new tenant has the five default roles', async () => {
  const { status, json } = await call('GET', '/v1/admin/roles');
  assert.equal(status, 200);
  const names = json.map((role: { name: string; scope: string }) => `${role.scope}: ${role.name}`);
  assert.deepEqual(names, [
    'organization: Org Admin',
    'organization: Org Base',
    'workspace: Admin',
    'workspace: Editor',
    'workspace: Reader',
  ]);
});

test('a role shows every permission of its scope, held or not', async () => {
  const { json } = await call('POST', '/v1/admin/roles', { name: 'Searcher', permissions: { kbs_query: true } });
  assert.equal(json.permissions.kbs_query, true);
  assert.equal(json.permissions.agents_run, false);
  assert.equal('org:admin' in json.permissions, false);
  assert.equal(json.scope, 'workspace');
  assert.equal(json.group_id, null);
});

test('refuses a permission of a different scope and names it', async () => {
  const { status, json } = await call('POST', '/v1/admin/roles', { name: 'X', permissions: { org_read: true } });
  assert.equal(status, 422);
  assert.deepEqual(json.detail[0].loc, ['body', 'permissions', 'org_read']);
});

test('a patch changes what it names and leaves the rest', async () => {
  const { json: made } = await call('POST', '/v1/admin/roles', { name: 'P', permissions: { kbs_query: true } });
  const { json } = await call('PATCH', `/v1/admin/roles/${made.id}`, {
    description: 'd',
    permissions: { kbs_edit: true },
  });
  assert.equal(json.name, 'P');
  assert.equal(json.description, 'd');
  assert.equal(json.permissions.kbs_query, true);
  assert.equal(json.permissions.kbs_edit, true);
});

test('two roles of one place can not share a name', async () => {
  await call('POST', '/v1/admin/roles', { name: 'Twin' });
  assert.equal((await call('POST', '/v1/admin/roles', { name: 'twin' })).status, 409);
});

test('a default role can be neither changed nor deleted', async () => {
  const { json } = await call('GET', '/v1/admin/roles');
  assert.equal((await call('PATCH', `/v1/admin/roles/${json[0].id}`, { name: 'Mine' })).status, 409);
  assert.equal((await call('DELETE', `/v1/admin/roles/${json[0].id}`)).status, 409);
});

test('a role of one workspace goes with it', async () => {
  const { id } = await workspace();
  const { json: role } = await call('POST', '/v1/admin/roles', { name: 'Local', group_id: id });
  assert.equal(role.group_id, id);
  await call('DELETE', `/v1/admin/groups/${id}`);
  assert.equal((await call('GET', `/v1/admin/roles/${role.id}`)).status, 404);
});

test('roles are for org:admin alone', async () => {
  const { key } = await workspace();
  assert.equal((await call('GET', '/v1/admin/roles', undefined, { key })).status, 403);
});

test('lists every permission with its texts and what it includes, for any key', async () => {
  const { key } = await workspace(['kbs_query']);
  const { status, json } = await call('GET', '/v1/admin/permissions', undefined, { key });
  assert.equal(status, 200);
  const all = json.map(({ id }: { id: string }) => id);
  assert.deepEqual(all, [...workspacePermissions, ...organizationPermissions]);
  for (const { id, label, help, scope, section, includes } of json) {
    assert.deepEqual([label, help], Object.values(permissionDetails[id as Permission]));
    assert.equal(scope, (workspacePermissions as readonly string[]).includes(id) ? 'workspace' : 'organization');
    assert.match(section, /^[A-Z]/, id);
    const covered: Record<string, readonly string[]> = { workspace_admin: workspacePermissions, 'org:admin': all };
    assert.deepEqual(
      includes,
      (covered[id] ?? []).filter((other) => other !== id),
    );
  }
  assert.equal((await call('GET', '/v1/admin/permissions', undefined, { key: null })).status, 401);
});
