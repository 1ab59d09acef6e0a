import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { as, cookieOf, makePeopleIn } from '../testing.ts';

const testing = await testApp();
const { call, query, workspace } = testing;
const { home, roleNamed, invite, signIn, aMember } = await makePeopleIn(testing);

const aGroup = async (name = `group ${randomUUID()}`) =>
  (await call('POST', '/v1/admin/user-groups', { name })).json.id as string;
const memberPath = (group: string, person: string) => `/v1/admin/user-groups/${group}/members/${person}`;
const placePath = (workspace_id: string, group: string) => `/v1/admin/groups/${workspace_id}/member-groups/${group}`;
const giveRole = async (workspace_id: string, group: string, role: string) => {
  const given = await call('PUT', placePath(workspace_id, group), { role_id: roleNamed(role) });
  assert.equal(given.status, 200, given.text);
  return given.json;
};
const permissionsIn = async (cookie: string, workspace_id: string): Promise<string[] | undefined> =>
  (await call('GET', '/v1/auth/session', undefined, as(cookie))).json.workspaces?.find(
    ({ id }: { id: string }) => id === workspace_id,
  )?.permissions;
const agents = (cookie: string, workspace_id: string, method = 'GET', body?: unknown) =>
  call(method, '/v1/agents', body, as(cookie, { 'x-workspace-id': workspace_id }));
const again = async ({ email }: { email: string }) => cookieOf(await signIn(email));

test('a person holds the permissions of their own role and of all their user groups together', async () => {
  const person = await aMember('Reader');
  const [one, two] = [await aGroup(), await aGroup()];
  const { json: role } = await call('POST', '/v1/admin/roles', {
    ...{ name: randomUUID(), permissions: { agents_edit: true } },
  });
  const given = await call('PUT', placePath(home, one), { role_id: role.id });
  assert.deepEqual([given.json.role_name, given.json.permissions], [role.name, ['agents_edit']]);
  await call('PUT', placePath(home, two), {
    role_id: (await call('POST', '/v1/admin/roles', { name: randomUUID(), permissions: { safety_check: true } })).json
      .id,
  });
  for (const group of [one, two]) assert.equal((await call('PUT', memberPath(group, person.id))).status, 200);
  const cookie = await again(person);
  const held = new Set(await permissionsIn(cookie, home));
  for (const name of ['agents_run', 'agents_edit', 'safety_check']) assert.ok(held.has(name), name);
  assert.ok(!held.has('workspace_admin') && !held.has('agents_delete'));
  assert.equal((await agents(cookie, home, 'POST', { name: 'x' })).status, 200);
  // A role that grows or shrinks does so for the people of its groups at once.
  await call('PATCH', `/v1/admin/roles/${role.id}`, { permissions: { agents_edit: false } });
  assert.equal((await agents(cookie, home, 'POST', { name: 'x' })).status, 403);
});

test('a person who is a member by a user group alone acts in its workspace, and no longer when taken out', async () => {
  const { id: other } = await workspace();
  const person = await aMember('Reader');
  const group = await aGroup();
  await giveRole(other, group, 'Editor');
  assert.equal((await agents(person.cookie, other)).status, 404);
  const added = await call('PUT', memberPath(group, person.id));
  assert.equal(added.json.person_id, person.id);
  const { cookie } = person;
  assert.equal((await agents(cookie, other, 'POST', { name: 'x' })).status, 200);
  // The workspace that was joined first stays the usual one.
  assert.equal((await call('GET', '/v1/admin/me', undefined, as(cookie))).json.group_id, home);
  assert.equal((await call('DELETE', memberPath(group, person.id))).status, 200);
  assert.equal((await agents(cookie, other)).status, 401, 'the change ended the session');
  assert.equal((await agents(await again(person), other)).status, 404);
  assert.equal((await call('DELETE', memberPath(group, person.id))).status, 404);
});

test('taking a role from a group, changing it and deleting the group end the sessions of its people, a new one does not', async () => {
  const { id: other } = await workspace();
  const [person, admin] = [await aMember('Reader'), await aMember('Reader')];
  await call('PATCH', `/v1/admin/users/${admin.id}`, { tenant_admin: true });
  const adminCookie = await again(admin);
  const group = await aGroup();
  for (const { id } of [person, admin]) await call('PUT', memberPath(group, id));
  const changes = [
    () => giveRole(other, group, 'Admin'),
    () => giveRole(other, group, 'Reader'),
    () => call('DELETE', placePath(other, group)),
    () => giveRole(other, group, 'Editor'),
    () => call('DELETE', `/v1/admin/user-groups/${group}`),
  ];
  const statuses: number[] = [];
  for (const change of changes) {
    const cookie = await again(person);
    await change();
    statuses.push((await agents(cookie, home)).status);
  }
  assert.deepEqual(statuses, [200, 401, 401, 200, 401]);
  assert.equal((await agents(await again(person), other)).status, 404);
  assert.equal((await agents(adminCookie, other)).status, 200, 'an administrator loses nothing, and stays signed in');
});

test('changes of a group that give and take nothing end no session', async () => {
  const person = await aMember('Reader');
  const group = await aGroup();
  await call('PUT', memberPath(group, person.id));
  await giveRole(home, group, 'Reader');
  await call('PATCH', `/v1/admin/user-groups/${group}`, { name: randomUUID() });
  await call('DELETE', `/v1/admin/user-groups/${group}`);
  assert.equal((await agents(person.cookie, home)).status, 200);
});

test('a deactivated person holds nothing by a group', async () => {
  const person = await aMember('Reader');
  const group = await aGroup();
  await giveRole(home, group, 'Editor');
  await call('PUT', memberPath(group, person.id));
  const cookie = await again(person);
  await call('PATCH', `/v1/admin/users/${person.id}`, { active: false });
  assert.equal((await agents(cookie, home)).status, 401);
  assert.deepEqual(await query('select 1 from person_rights where person_id = $1', [person.id]), []);
});

test('an invitation of the own address does not bring back what a group gave', async () => {
  const { id: other } = await workspace();
  const person = await aMember('Reader');
  const group = await aGroup();
  await giveRole(other, group, 'Admin');
  await call('PUT', memberPath(group, person.id));
  const cookie = await again(person);
  const body = { email: person.email.toUpperCase(), role_id: roleNamed('Admin'), days: 90 };
  const inOther = as(cookie, { 'x-workspace-id': other });
  const own = await call('POST', `/v1/admin/groups/${other}/invitations`, body, inOther);
  assert.equal(own.status, 200, own.text);
  const elsewhere = await invite(roleNamed('Reader'), { email: person.email });
  await call('DELETE', memberPath(group, person.id));
  const left = await again(person);
  const join = (token: string) => call('POST', '/v1/auth/invitations/join', { token }, as(left));
  assert.equal((await join(own.json.token)).status, 404);
  assert.equal((await join(elsewhere.token)).status, 200, 'an invitation to another workspace stays');
});

test('only an administrator of the organization makes groups, fills them and adds them to a workspace', async () => {
  const { id: other } = await workspace();
  const host = await aMember('Admin');
  const [mine, theirs] = [await aGroup(), await aGroup()];
  await giveRole(home, mine, 'Reader');
  await giveRole(other, theirs, 'Admin');
  const { json: weak } = await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'weak' });
  for (const caller of [as(host.cookie), { key: weak.value as string }]) {
    const ask = (method: string, path: string, body?: unknown) => call(method, path, body, caller);
    assert.equal((await ask('POST', '/v1/admin/user-groups', { name: 'x' })).status, 403);
    for (const group of [mine, theirs]) {
      // Otherwise an administrator of a workspace could take part in any group, and hold what it holds elsewhere.
      assert.equal((await ask('PUT', memberPath(group, host.id))).status, 403);
      assert.equal((await ask('DELETE', memberPath(group, host.id))).status, 403);
      assert.equal((await ask('PATCH', `/v1/admin/user-groups/${group}`, { name: 'x' })).status, 403);
      assert.equal((await ask('DELETE', `/v1/admin/user-groups/${group}`)).status, 403);
    }
    const role_id = roleNamed('Reader');
    assert.equal((await ask('PUT', placePath(home, theirs), { role_id })).status, 404);
    assert.equal((await ask('DELETE', placePath(home, theirs))).status, 404);
    for (const group of [mine, theirs])
      assert.equal((await ask('PUT', placePath(other, group), { role_id })).status, 404);
    assert.equal((await ask('PUT', placePath(home, mine), { role_id })).status, 200);
  }
  assert.equal((await agents(host.cookie, other)).status, 404);
});

test('a workspace administrator sees the groups of that workspace and their people, and no others', async () => {
  const host = await aMember('Admin');
  const reader = await aMember('Reader');
  const [mine, hidden] = [await aGroup(), await aGroup()];
  await giveRole(home, mine, 'Reader');
  for (const group of [mine, hidden]) await call('PUT', memberPath(group, reader.id));
  const ask = (path: string, cookie = host.cookie) => call('GET', path, undefined, as(cookie));
  const listed = (await ask('/v1/admin/user-groups?size=100')).json.items.map(({ id }: { id: string }) => id);
  assert.ok(listed.includes(mine) && !listed.includes(hidden));
  assert.equal((await ask(`/v1/admin/user-groups/${mine}`)).json.member_count, 1);
  assert.equal((await ask(`/v1/admin/user-groups/${mine}/members`)).json.items[0].email, reader.email);
  assert.equal((await ask(`/v1/admin/user-groups/${hidden}`)).status, 404);
  assert.equal((await ask(`/v1/admin/user-groups/${hidden}/members`)).status, 404);
  const places = (await ask(`/v1/admin/groups/${home}/member-groups`)).json as { user_group_id: string }[];
  assert.ok(places.some(({ user_group_id }) => user_group_id === mine));
  for (const path of ['/v1/admin/user-groups', `/v1/admin/groups/${home}/member-groups`])
    assert.equal((await ask(path, reader.cookie)).status, 403);
  const all = (await call('GET', '/v1/admin/user-groups?size=100')).json.items.map(({ id }: { id: string }) => id);
  assert.ok(all.includes(hidden));
});

test('a group can have no role of the organization, and a role that a group has stays', async () => {
  const group = await aGroup();
  const { json: empty } = await call('POST', '/v1/admin/roles', { name: randomUUID(), scope: 'organization' });
  assert.equal((await call('PUT', placePath(home, group), { role_id: empty.id })).status, 422);
  const { json: local } = await call('POST', '/v1/admin/roles', {
    name: randomUUID(),
    group_id: (await workspace()).id,
  });
  assert.equal((await call('PUT', placePath(home, group), { role_id: local.id })).status, 404);
  const { json: role } = await call('POST', '/v1/admin/roles', { name: randomUUID() });
  await call('PUT', placePath(home, group), { role_id: role.id });
  const refused = await call('DELETE', `/v1/admin/roles/${role.id}`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'role_in_use']);
  await call('DELETE', placePath(home, group));
  assert.equal((await call('DELETE', `/v1/admin/roles/${role.id}`)).status, 200);
});

test('names of groups are unique in an organization, without regard to upper and lower case', async () => {
  const name = `Support ${randomUUID()}`;
  const id = await aGroup(name);
  const taken = await call('POST', '/v1/admin/user-groups', { name: name.toUpperCase() });
  assert.deepEqual([taken.status, taken.json.code], [409, 'name_taken']);
  const other = await aGroup();
  const renamed = await call('PATCH', `/v1/admin/user-groups/${other}`, { name: name.toLowerCase() });
  assert.equal(renamed.status, 409);
  const found = await call('GET', `/v1/admin/user-groups?search=${encodeURIComponent(name.toLowerCase())}`);
  assert.deepEqual(
    found.json.items.map((group: { id: string }) => group.id),
    [id],
  );
});

test('people are added and roles are changed at the same moment without an error or a session too many', async () => {
  const { id: other } = await workspace();
  const group = await aGroup();
  const people = await Promise.all(Array.from({ length: 4 }, () => aMember('Reader')));
  const answers = await Promise.all([
    ...people.map(({ id }) => call('PUT', memberPath(group, id))),
    giveRole(other, group, 'Admin'),
    giveRole(other, group, 'Reader'),
    ...people.slice(0, 2).map(({ id }) => call('DELETE', memberPath(group, id))),
  ]);
  for (const answer of answers) assert.ok((answer.status ?? 200) < 500, answer.text);
  const { items } = (await call('GET', `/v1/admin/user-groups/${group}/members`)).json;
  const members = new Set(items.map(({ person_id }: { person_id: string }) => person_id));
  for (const person of people) {
    const status = (await agents(await again(person), other)).status;
    assert.equal(status, members.has(person.id) ? 200 : 404);
  }
});

test('a key of a person holds what a group gives only while the person is in the group', async () => {
  const person = await aMember('Reader');
  const group = await aGroup();
  await giveRole(home, group, 'Admin');
  await call('PUT', memberPath(group, person.id));
  const body = { name: 'mine', permissions: ['agents_edit', 'agents_run'] };
  const made = await call('POST', `/v1/admin/groups/${home}/api-keys`, body, as(await again(person)));
  assert.equal(made.status, 200, made.text);
  const edit = () => call('POST', '/v1/agents', { name: 'x' }, { key: made.json.value });
  assert.equal((await edit()).status, 200);
  await call('DELETE', memberPath(group, person.id));
  assert.equal((await edit()).status, 403);
});
