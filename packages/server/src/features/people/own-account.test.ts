import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { as, cookieOf, makePeopleIn } from './testing.ts';

const testing = await testApp();
const { call } = testing;
const { aMember, home, roleNamed, signIn, invite } = await makePeopleIn(testing);
const path = '/v1/auth/account';

test('lets a person change their own name, seen everywhere at once, and nothing else of the account', async () => {
  const [bo, cy] = [await aMember('Reader'), await aMember('Reader')];
  for (const more of [{ tenant_admin: true }, { active: false }, { email: 'other@example.com' }])
    assert.equal((await call('PATCH', path, { name: 'Bo Diddley', ...more }, as(bo.cookie))).status, 422);
  const renamed = await call('PATCH', path, { name: 'Bo Diddley' }, as(bo.cookie));
  assert.equal(renamed.status, 200, renamed.text);
  assert.partialDeepStrictEqual(renamed.json, {
    ...{ id: bo.id, name: 'Bo Diddley', tenant_admin: false, active: true, email: bo.email },
  });
  const session = await call('GET', '/v1/auth/session', undefined, as(bo.cookie));
  assert.deepEqual([session.status, session.json.person.name], [200, 'Bo Diddley']);
  assert.equal((await call('GET', '/v1/auth/session', undefined, as(cy.cookie))).json.person.name, 'Bo');
  const made = await call('POST', '/v1/conversations', { name: 'x' }, as(bo.cookie));
  assert.equal(made.json.created_by_actor.name, 'Bo Diddley');
});

test('writes an audit row for a changed name, without the name itself among its values', async () => {
  const bo = await aMember('Reader');
  await call('PATCH', path, { name: 'Zinnia Quux' }, as(bo.cookie));
  const { items } = (await call('GET', '/v1/admin/audit?size=20')).json;
  const row = items.find(({ operation }: { operation: string }) => operation === 'people.updateOwn');
  assert.deepEqual([row.target.kind, row.target.id, row.actor.id], ['person', bo.id, bo.id]);
  assert.ok(!JSON.stringify(row.changes ?? row).includes('"after":"Zinnia'));
});

test('refuses an old If-Match, an empty name, keys and callers who are not signed in', async () => {
  const bo = await aMember('Reader');
  const { etag } = (await call('PATCH', path, { name: 'One' }, as(bo.cookie))).json;
  assert.equal((await call('PATCH', path, { name: 'Two' }, as(bo.cookie, { 'if-match': etag }))).status, 200);
  const late = await call('PATCH', path, { name: 'Three' }, as(bo.cookie, { 'if-match': etag }));
  assert.deepEqual([late.status, late.json.code], [409, 'etag_mismatch']);
  assert.equal((await call('PATCH', path, { name: '' }, as(bo.cookie))).status, 422);
  assert.equal((await call('PATCH', path, { name: 'x' })).status, 403);
  assert.equal((await call('PATCH', path, { name: 'x' }, { key: null })).status, 401);
});

test('says why a session ended to the browser that has its cookie; being added to a workspace ends none', async () => {
  const [bo, cy] = [await aMember('Reader'), await aMember('Reader')];
  const reasonFor = async (cookie: string) =>
    (await call('GET', '/v1/auth/options', undefined, as(cookie))).json.session_ended;
  const isSignedIn = async (cookie: string) =>
    (await call('GET', '/v1/auth/session', undefined, as(cookie))).status === 200;
  const member = (group: string, role: string) =>
    call('PUT', `/v1/admin/groups/${group}/members/${bo.id}`, { role_id: roleNamed(role) });

  const { id: sales } = (await call('POST', '/v1/admin/groups', { name: 'Sales' })).json;
  assert.equal((await member(sales, 'Editor')).status, 200);
  assert.equal((await member(sales, 'Editor')).status, 200);
  const { id: team } = (await call('POST', '/v1/admin/user-groups', { name: 'Team' })).json;
  const { id: support } = (await call('POST', '/v1/admin/groups', { name: 'Support' })).json;
  await call('PUT', `/v1/admin/groups/${support}/member-groups/${team}`, { role_id: roleNamed('Reader') });
  assert.equal((await call('PUT', `/v1/admin/user-groups/${team}/members/${bo.id}`)).status, 200);
  const { json } = await call('GET', '/v1/auth/session', undefined, as(bo.cookie));
  assert.deepEqual(
    json.workspaces.map(({ name }: { name: string }) => name).toSorted(),
    ['Default', 'Sales', 'Support'],
    'the new workspaces are there at once',
  );
  assert.equal(await reasonFor(bo.cookie), null);

  await member(home, 'Editor');
  assert.equal(await isSignedIn(bo.cookie), false);
  assert.equal(await reasonFor(bo.cookie), 'rights_changed');
  assert.equal(await reasonFor('atrium_session=forged'), null);
  assert.equal(await reasonFor(cy.cookie), null, 'the session of somebody else goes on');

  const [one, two] = [cookieOf(await signIn(cy.email)), cookieOf(await signIn(cy.email))];
  const { id } = (await call('GET', '/v1/auth/session', undefined, as(one))).json;
  await call('DELETE', `/v1/auth/sessions/${id}`, undefined, as(two));
  await call('PATCH', `/v1/admin/users/${cy.id}`, { active: false });
  assert.deepEqual([await reasonFor(one), await reasonFor(two)], ['ended_by_person', 'deactivated']);
});

test('says who invites whom to what, to whom has the link, for as long as it works', async () => {
  const [admin] = [await aMember('Admin')];
  const path = `/v1/admin/groups/${home}/invitations`;
  const body = { email: 'lee@example.com', role_id: roleNamed('Reader'), days: 7 };
  const made = await call('POST', path, body, as(admin.cookie));
  assert.equal(made.status, 200, made.text);
  const look = (token: string) => call('POST', '/v1/auth/invitations/look', { token }, { key: null });
  const { token, id, expires_at } = made.json;
  assert.deepEqual((await look(token)).json, {
    ...{ workspace_name: 'Default', role_name: 'Reader', email: 'lee@example.com', inviter_name: 'Bo', expires_at },
  });
  const byKey = await invite(roleNamed('Reader'));
  assert.equal((await look(byKey.token)).json.inviter_name, null);
  await call('DELETE', `${path}/${id}`, undefined, as(admin.cookie));
  assert.equal((await look(token)).status, 404);
});
