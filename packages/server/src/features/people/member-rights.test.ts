import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { anAddress, as, cookieOf, makePeopleIn } from './testing.ts';

const testing = await testApp();
const { call } = testing;
const { home, roleNamed, invite, accept, signIn, aMember } = await makePeopleIn(testing);
const memberPath = (id: string) => `/v1/admin/groups/${home}/members/${id}`;
const sessionOf = async (cookie: string) => (await call('GET', '/v1/auth/session', undefined, as(cookie))).json;

test('a workspace administrator can neither change nor remove a member who administers the organization', async () => {
  const boss = await aMember('Reader');
  await call('PATCH', `/v1/admin/users/${boss.id}`, { tenant_admin: true });
  const cookie = cookieOf(await signIn(boss.email));
  const host = await aMember('Admin');
  const { json: key } = await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'weak' });
  for (const caller of [as(host.cookie), { key: key.value as string }]) {
    const changed = await call('PUT', memberPath(boss.id), { role_id: roleNamed('Reader') }, caller);
    assert.equal(changed.status, 403, changed.text);
    assert.equal((await call('DELETE', memberPath(boss.id), undefined, caller)).status, 403);
    assert.equal((await call('PATCH', `/v1/admin/users/${boss.id}`, { active: false }, caller)).status, 403);
    assert.equal((await call('POST', `/v1/admin/users/${boss.id}/password-reset`, undefined, caller)).status, 403);
  }
  assert.equal((await sessionOf(cookie)).person.id, boss.id, 'the session goes on');
});

test('a role of the organization can be given to no member, not even while it is empty', async () => {
  const { json: role } = await call('POST', '/v1/admin/roles', { name: randomUUID(), scope: 'organization' });
  const body = { email: anAddress(), role_id: role.id };
  assert.equal((await call('POST', `/v1/admin/groups/${home}/invitations`, body)).status, 422);
  const { id } = await aMember('Reader');
  assert.equal((await call('PUT', memberPath(id), { role_id: role.id })).status, 422);
});

test('an older invitation does not bring back a role that was taken away', async () => {
  const takeAway = [
    (id: string) => call('PUT', memberPath(id), { role_id: roleNamed('Reader') }),
    (id: string) => call('DELETE', memberPath(id)),
    async (id: string) => {
      await call('PATCH', `/v1/admin/users/${id}`, { active: false });
      await call('PUT', memberPath(id), { role_id: roleNamed('Reader') });
      return call('PATCH', `/v1/admin/users/${id}`, { active: true });
    },
  ];
  for (const take of takeAway) {
    const { id, email, cookie } = await aMember('Admin');
    const body = { email: email.toUpperCase(), role_id: roleNamed('Admin'), days: 90 };
    const { json: own } = await call('POST', `/v1/admin/groups/${home}/invitations`, body, as(cookie));
    assert.equal((await take(id)).status, 200);
    const again = cookieOf(await signIn(email));
    const joined = await call('POST', '/v1/auth/invitations/join', { token: own.token }, as(again));
    assert.equal(joined.status, 404, joined.text);
    const [place] = (await sessionOf(again)).workspaces;
    assert.ok(!place?.permissions.includes('workspace_admin'));
  }
});

test('an invitation is accepted once when several accept it at the same moment', async () => {
  const { token } = await invite(roleNamed('Reader'));
  const statuses = (await Promise.all(Array.from({ length: 5 }, () => accept(token)))).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 404, 404, 404, 404]);
});

test('invitations end with their workspace and with their role', async () => {
  const { json: group } = await call('POST', '/v1/admin/groups', { name: 'Gone' });
  const { json: local } = await call('POST', '/v1/admin/roles', {
    ...{ name: randomUUID(), group_id: group.id, permissions: { agents_run: true } },
  });
  const member = await accept((await invite(local.id, { group_id: group.id })).token);
  const open = await invite(local.id, { group_id: group.id });
  assert.equal((await call('DELETE', `/v1/admin/groups/${group.id}`)).status, 200);
  assert.equal((await accept(open.token)).status, 404);
  assert.deepEqual((await sessionOf(cookieOf(member))).workspaces, []);
  const inGone = as(cookieOf(member), { 'x-workspace-id': group.id });
  assert.equal((await call('GET', '/v1/agents', undefined, inGone)).status, 404);

  const { json: brief } = await call('POST', '/v1/admin/roles', { name: randomUUID() });
  const late = await invite(brief.id);
  assert.equal((await call('DELETE', `/v1/admin/roles/${brief.id}`)).status, 200);
  assert.equal((await accept(late.token)).status, 404);
});

test('two administrators who demote each other at the same moment leave one', async () => {
  const people = (await call('GET', '/v1/admin/users?size=100')).json.items as { id: string; tenant_admin: boolean }[];
  const [one, two] = [await aMember('Reader'), await aMember('Reader')];
  for (const { id } of [one, two]) await call('PATCH', `/v1/admin/users/${id}`, { tenant_admin: true });
  for (const { id } of people.filter((person) => person.tenant_admin))
    await call('PATCH', `/v1/admin/users/${id}`, { tenant_admin: false });
  const answers = await Promise.all(
    [one, two].map(({ id }) => call('PATCH', `/v1/admin/users/${id}`, { active: false })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
});

test('a mail address has no blanks, controls or invisible characters', async () => {
  for (const email of [
    'a b@x.example',
    'a\u200b@x.example',
    'a\u202e@x.example',
    'a\u0001@x.example',
    'a@b@x.example',
  ]) {
    const body = { email, role_id: roleNamed('Reader') };
    assert.equal((await call('POST', `/v1/admin/groups/${home}/invitations`, body)).status, 422, JSON.stringify(email));
  }
  for (const email of ['jörg@müller.example', "o'neil+x@x.example", '用户@例子.example'])
    await invite(roleNamed('Reader'), { email });
});

test('an administrator of the organization acts in a new workspace at once, other people do not', async () => {
  const [boss, reader] = [await aMember('Reader'), await aMember('Admin')];
  await call('PATCH', `/v1/admin/users/${boss.id}`, { tenant_admin: true });
  const cookie = cookieOf(await signIn(boss.email));
  for (const one of [cookie, reader.cookie]) assert.equal((await sessionOf(one)).workspaces[0].id, home);
  const { json: group } = await call('POST', '/v1/admin/groups', { name: 'New' }, as(cookie));
  const inNew = (one: string) => call('GET', '/v1/agents', undefined, as(one, { 'x-workspace-id': group.id }));
  assert.equal((await inNew(cookie)).status, 200);
  assert.equal((await inNew(reader.cookie)).status, 404);
});

test('links to set a password that are made at the same moment leave one', async () => {
  const { id, cookie } = await aMember('Reader');
  const made = await Promise.all(Array.from({ length: 5 }, () => call('POST', `/v1/admin/users/${id}/password-reset`)));
  assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([200]));
  const reset = (token: string) =>
    call('POST', '/v1/auth/password-reset', { token, password: 'another long password' }, { key: null });
  const statuses = [];
  for (const { json } of made) statuses.push((await reset(json.token)).status);
  assert.deepEqual(statuses.toSorted(), [200, 403, 403, 403, 403]);
  assert.equal((await call('GET', '/v1/auth/session', undefined, as(cookie))).status, 401);
});

test('a person who joins while the role is changed gets no error', async () => {
  const { id, email, cookie } = await aMember('Reader');
  let session = cookie;
  for (let round = 0; round < 10; round++) {
    const { token } = await invite(roleNamed('Editor'), { email });
    const [joined, changed] = await Promise.all([
      call('POST', '/v1/auth/invitations/join', { token }, as(session)),
      call('PUT', memberPath(id), { role_id: roleNamed('Reader') }),
    ]);
    assert.ok([200, 401, 404].includes(joined.status), joined.text);
    assert.equal(changed.status, 200, changed.text);
    session = cookieOf(await signIn(email));
  }
});

test('an Idempotency-Key of one person is a new request for another person', async () => {
  const [one, two] = [await aMember('Editor'), await aMember('Editor')];
  const make = ({ cookie }: { cookie: string }) =>
    call('POST', '/v1/agents', { name: 'x' }, as(cookie, { 'idempotency-key': 'the-same' }));
  const [first, again, other] = [await make(one), await make(one), await make(two)];
  assert.equal(first.json.id, again.json.id);
  assert.notEqual(other.json.id, first.json.id);
});

test('an invitation or a link that is asked for again with its Idempotency-Key is made once', async () => {
  const { id } = await aMember('Reader');
  const body = { email: anAddress(), role_id: roleNamed('Reader') };
  for (const [path, sent] of [
    [`/v1/admin/groups/${home}/invitations`, body],
    [`/v1/admin/users/${id}/password-reset`, undefined],
  ] as const) {
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => call('POST', path, sent, { headers });
    const [first, again] = [await ask(), await ask()];
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.deepEqual(again.json, first.json);
  }
  const { json: api } = await call('GET', '/openapi.json', undefined, { key: null });
  for (const [path, methods] of Object.entries(api.paths))
    if (path.startsWith('/v1/auth/'))
      assert.ok(
        !/components\/parameters\/(IdempotencyKey|WorkspaceId)/.test(JSON.stringify(methods)),
        `${path} takes no such header`,
      );
});
