import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { errorUrn, groupUrn, patchUrn, userUrn } from '@atrium/contract/scim/urns.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { anAddress, as, cookieOf, makePeopleIn, password } from '../testing.ts';

const testing = await testApp();
const { call, query } = testing;
const { home, roleNamed, signIn, aMember } = await makePeopleIn(testing);

const makeToken = async (fields: object = {}) =>
  (await call('POST', '/v1/admin/scim-tokens', { name: 'Directory', ...fields })).json as { id: string; value: string };
const { value: token } = await makeToken();
/** A request as a directory sends it. */
const scim = (method: string, path: string, body?: unknown, bearer = token) =>
  call(method, `/scim/v2${path}`, body === undefined ? undefined : JSON.stringify(body), {
    key: null,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
    },
  });
const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { schemas: [patchUrn], Operations });
/** A user as Entra ID creates one. */
const aUser = async (fields: object = {}) => {
  const userName = anAddress();
  const made = await scim('POST', '/Users', {
    schemas: [userUrn, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    ...{ externalId: randomUUID(), userName, active: true, displayName: 'Ada Byron', title: 'Countess' },
    name: { formatted: 'Ada Byron', familyName: 'Byron', givenName: 'Ada' },
    emails: [{ primary: true, type: 'work', value: userName }],
    meta: { resourceType: 'User' },
    ...fields,
  });
  assert.equal(made.status, 201, made.text);
  return made.json as { id: string; userName: string; externalId: string };
};
const aGroup = async (members: string[] = [], displayName = `Group ${randomUUID()}`) => {
  const made = await scim('POST', '/Groups', {
    ...{ schemas: [groupUrn], displayName, members: members.map((value) => ({ value })) },
  });
  assert.equal(made.status, 201, made.text);
  return made.json as { id: string; displayName: string };
};
const membersOf = async (id: string): Promise<string[]> =>
  (await scim('GET', `/Groups/${id}`)).json.members.map(({ value }: { value: string }) => value).toSorted();
const isError = ({ json, status, headers }: Awaited<ReturnType<typeof scim>>, wanted: number, scimType?: string) => {
  assert.equal(status, wanted, JSON.stringify(json));
  assert.match(String(headers['content-type']), /^application\/scim\+json/);
  assert.deepEqual([json.schemas, json.status, json.scimType], [[errorUrn], String(wanted), scimType]);
  assert.equal(typeof json.detail, 'string');
};
/** Sets a password with a link and signs in. */
async function signInAs({ id, userName }: { id: string; userName: string }) {
  const { token: link } = (await call('POST', `/v1/admin/users/${id}/password-reset`)).json;
  await call('POST', '/v1/auth/password-reset', { token: link, password }, { key: null });
  return cookieOf(await signIn(userName));
}

test('a user is created, found, changed and deactivated as Entra ID does it', async () => {
  const { json: none } = await scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${anAddress()}"`)}`);
  assert.deepEqual([none.totalResults, none.Resources], [0, []]);
  const user = await aUser();
  const found = await scim(
    'GET',
    `/Users?filter=${encodeURIComponent(`userName eq "${user.userName.toUpperCase()}"`)}`,
  );
  assert.match(String(found.headers['content-type']), /^application\/scim\+json/);
  assert.equal(found.json.Resources[0].id, user.id);
  const person = (await call('GET', `/v1/admin/users/${user.id}`)).json;
  assert.deepEqual([person.email, person.name, person.tenant_admin], [user.userName, 'Ada Byron', false]);

  const before = await signInAs(user);
  const address = anAddress();
  const changed = await patch(
    `/Users/${user.id}`,
    { op: 'Replace', path: 'displayName', value: 'Ada Lovelace' },
    { op: 'Add', path: 'name.familyName', value: 'Lovelace' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: address },
    { op: 'Replace', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Engines' },
  );
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual([changed.json.name.familyName, changed.json.emails[0].value], ['Lovelace', address]);
  assert.equal((await call('GET', `/v1/admin/users/${user.id}`)).json.name, 'Ada Lovelace');

  assert.equal((await call('GET', '/v1/auth/session', undefined, as(before))).status, 401, 'the address is another');
  const cookie = cookieOf(await signIn(address));
  assert.equal((await call('GET', '/v1/auth/session', undefined, as(cookie))).status, 200);
  const off = await patch(`/Users/${user.id}`, { op: 'Replace', path: 'active', value: 'False' });
  assert.equal(off.json.active, false);
  assert.equal((await call('GET', '/v1/auth/session', undefined, as(cookie))).status, 401);
  assert.equal((await signIn(address)).status, 401);
  const on = await patch(`/Users/${user.id}`, { op: 'Replace', path: 'active', value: 'True' });
  assert.equal(on.json.active, true);
  assert.equal((await signIn(address)).status, 200);
});

test('a user is changed and deactivated as Okta does it, without paths and by replacement', async () => {
  const user = await aUser();
  const renamed = await scim('PUT', `/Users/${user.id}`, {
    ...{ schemas: [userUrn], id: user.id, userName: user.userName, active: true, password: 'ignored' },
    name: { givenName: 'Grace', familyName: 'Hopper' },
    emails: [{ primary: true, value: user.userName, type: 'work' }],
    groups: [],
  });
  assert.deepEqual([renamed.status, renamed.json.displayName], [200, 'Grace Hopper']);
  assert.equal(renamed.json.externalId, undefined, 'a replacement leaves nothing of before');
  const off = await patch(`/Users/${user.id}`, { op: 'replace', value: { active: false } });
  assert.deepEqual([off.status, off.json.active], [200, false]);
  const on = await patch(`/Users/${user.id}`, {
    ...{ op: 'replace', value: { active: true, 'name.familyName': 'Murray', name: { givenName: 'Grace B.' } } },
  });
  assert.deepEqual([on.json.active, on.json.displayName], [true, 'Grace B. Murray']);
});

test('keys of a person end with the deactivation by SCIM', async () => {
  const user = await aUser();
  const group = await aGroup([user.id]);
  const place = `/v1/admin/groups/${home}/member-groups/${group.id}`;
  await call('PUT', place, { role_id: roleNamed('Admin') });
  const cookie = await signInAs(user);
  const made = await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'mine' }, as(cookie));
  assert.equal(made.status, 200, made.text);
  const ask = () => call('GET', '/v1/agents', undefined, { key: made.json.value });
  assert.equal((await ask()).status, 200);
  await patch(`/Users/${user.id}`, { op: 'replace', value: { active: 'false' } });
  assert.equal((await ask()).status, 401);
});

test('filters, pages and attributes of lists are heeded', async () => {
  const [one, two] = [await aUser(), await aUser()];
  const find = async (filter: string) => (await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).json;
  const ids = ({ Resources }: { Resources: { id: string }[] }) => Resources.map(({ id }) => id);
  assert.deepEqual(ids(await find(`externalId eq "${one.externalId}"`)), [one.id]);
  assert.deepEqual(ids(await find(`emails.value eq "${two.userName}"`)), [two.id]);
  assert.deepEqual(ids(await find(`emails[type eq "work"].value eq "${two.userName}"`)), [two.id]);
  assert.deepEqual(ids(await find(`userName eq "${one.userName}" and active eq true`)), [one.id]);
  assert.deepEqual(ids(await find(`userName eq "${one.userName}" AND externalId eq "${two.externalId}"`)), []);
  assert.deepEqual(ids(await find('userName eq "a\\" or true"')), []);
  for (const wrong of ['userName co "a"', 'userName eq "a" or userName eq "b"', 'password eq "x"', 'userName', '"'])
    isError(await scim('GET', `/Users?filter=${encodeURIComponent(wrong)}`), 400, 'invalidFilter');

  const first = (await scim('GET', '/Users?startIndex=1&count=1')).json;
  const second = (await scim('GET', '/Users?startIndex=2&count=1')).json;
  assert.ok(first.totalResults >= 2);
  assert.deepEqual([first.itemsPerPage, first.startIndex, second.startIndex], [1, 1, 2]);
  assert.notEqual(ids(first)[0], ids(second)[0]);
  const counted = (await scim('GET', '/Users?startIndex=-3&count=0')).json;
  assert.deepEqual([counted.startIndex, counted.Resources], [1, []]);
  assert.equal(counted.totalResults, first.totalResults);

  const brief = (await scim('GET', `/Users/${one.id}?attributes=userName`)).json;
  assert.deepEqual(Object.keys(brief).toSorted(), ['id', 'schemas', 'userName']);
  const group = await aGroup([one.id]);
  assert.equal((await scim('GET', `/Groups/${group.id}?excludedAttributes=members`)).json.members, undefined);
  const mine = await scim('GET', `/Groups?filter=${encodeURIComponent(`members.value eq "${one.id}"`)}`);
  assert.deepEqual(ids(mine.json), [group.id]);
  const named = await scim('GET', `/Groups?filter=${encodeURIComponent(`displayName eq "${group.displayName}"`)}`);
  assert.deepEqual(ids(named.json), [group.id]);
});

test('groups are user groups, whose people come and go in the forms that directories send', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => aUser()));
  const [a, b, c, d] = people.map(({ id }) => id) as [string, string, string, string];
  const group = await aGroup([a]);
  const at = `/Groups/${group.id}`;
  assert.equal((await call('GET', `/v1/admin/user-groups/${group.id}`)).json.member_count, 1);
  await patch(at, { op: 'Add', path: 'members', value: [{ value: b }, { value: c }] });
  assert.deepEqual(await membersOf(group.id), [a, b, c].toSorted());
  await patch(at, { op: 'remove', path: `members[value eq "${a}"]` });
  await patch(at, { op: 'Remove', path: 'members', value: [{ value: b }] });
  assert.deepEqual(await membersOf(group.id), [c]);
  await patch(at, { op: 'add', value: { members: [{ value: d }] } });
  assert.deepEqual(await membersOf(group.id), [c, d].toSorted());
  const okta = await patch(
    at,
    { op: 'replace', value: { id: group.id, displayName: `Okta ${group.id}` } },
    { op: 'replace', path: 'members', value: [{ value: a }] },
  );
  assert.equal(okta.json.displayName, `Okta ${group.id}`);
  assert.deepEqual(await membersOf(group.id), [a]);
  const user = (await scim('GET', `/Users/${a}`)).json;
  assert.deepEqual(user.groups, [{ value: group.id, display: `Okta ${group.id}` }]);
  await patch(at, { op: 'remove', path: 'members' });
  assert.deepEqual(await membersOf(group.id), []);
  await scim('PUT', at, { schemas: [groupUrn], displayName: group.displayName, members: [{ value: b }] });
  assert.deepEqual(await membersOf(group.id), [b]);
  const gone = await scim('DELETE', at);
  assert.deepEqual([gone.status, gone.text], [204, '']);
  assert.equal((await call('GET', `/v1/admin/user-groups/${group.id}`)).status, 404);
});

test('a person who leaves a group of the directory loses what the group gave at once', async () => {
  const user = await aUser();
  const group = await aGroup([user.id]);
  await call('PUT', `/v1/admin/groups/${home}/member-groups/${group.id}`, { role_id: roleNamed('Editor') });
  const cookie = await signInAs(user);
  const ask = (session: string) => call('POST', '/v1/agents', { name: 'x' }, as(session));
  assert.equal((await ask(cookie)).status, 200);
  await patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${user.id}"]` });
  assert.equal((await ask(cookie)).status, 401);
  assert.equal((await ask(cookieOf(await signIn(user.userName)))).status, 403, 'a member of no workspace');
});

test('a change that is refused in part is refused whole', async () => {
  const user = await aUser();
  const group = await aGroup();
  isError(
    await patch(
      `/Users/${user.id}`,
      { op: 'replace', path: 'displayName', value: 'Changed' },
      { op: 'replace', path: 'active', value: 'perhaps' },
    ),
    400,
    'invalidValue',
  );
  assert.equal((await scim('GET', `/Users/${user.id}`)).json.displayName, 'Ada Byron');
  const add = { op: 'add', path: 'members', value: [{ value: user.id }] };
  isError(
    await patch(`/Groups/${group.id}`, add, { op: 'add', path: 'members', value: [{ value: randomUUID() }] }),
    400,
    'invalidValue',
  );
  assert.deepEqual(await membersOf(group.id), []);
  for (const [operation, word] of [
    [{ op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    [{ op: 'remove' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[', value: 'x' }, 'invalidPath'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'remove', path: 'emails' }, 'mutability'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails', value: [{ value: 'no address' }] }, 'invalidValue'],
  ] as const)
    isError(await patch(`/Users/${user.id}`, operation), 400, word);
  isError(await scim('POST', '/Users', { schemas: [userUrn] }), 400, 'invalidValue');
  isError(await scim('POST', '/Users', { userName: 'no address' }), 400, 'invalidValue');
  isError(await scim('GET', `/Users/${randomUUID()}`), 404);
  isError(await scim('GET', '/Users/x'), 400, 'invalidValue');
  // Names of the prototype are no attributes.
  assert.equal((await patch(`/Users/${user.id}`, { op: 'add', path: 'constructor', value: 'x' })).status, 200);
});

test('SCIM neither sees nor changes people and groups that it has not made', async () => {
  const person = await aMember('Admin');
  const { json: group } = await call('POST', '/v1/admin/user-groups', { name: `By hand ${randomUUID()}` });
  isError(await scim('GET', `/Users/${person.id}`), 404);
  isError(await patch(`/Users/${person.id}`, { op: 'replace', path: 'active', value: false }), 404);
  isError(await scim('PUT', `/Users/${person.id}`, { userName: person.email }), 404);
  isError(await scim('DELETE', `/Users/${person.id}`), 404);
  isError(await scim('POST', '/Users', { userName: person.email.toUpperCase() }), 409, 'uniqueness');
  const found = await scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${person.email}"`)}`);
  assert.equal(found.json.totalResults, 0);
  isError(await scim('GET', `/Groups/${group.id}`), 404);
  const user = await aUser();
  isError(await patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: user.id }] }), 404);
  isError(await scim('DELETE', `/Groups/${group.id}`), 404);
  isError(await scim('POST', '/Groups', { displayName: group.name }), 409, 'uniqueness');
  const own = await aGroup();
  isError(
    await patch(`/Groups/${own.id}`, { op: 'add', path: 'members', value: [{ value: person.id }] }),
    400,
    'invalidValue',
  );
  // A person who was put into a group of the directory by hand is not seen there, and stays.
  await call('PUT', `/v1/admin/user-groups/${own.id}/members/${person.id}`);
  assert.deepEqual(await membersOf(own.id), []);
  await patch(`/Groups/${own.id}`, { op: 'remove', path: 'members' });
  assert.equal((await call('GET', `/v1/admin/user-groups/${own.id}`)).json.member_count, 1);
  assert.equal((await signIn(person.email)).status, 200);
});

test('a token that adopts takes over accounts and groups, but no administrator of the organization', async () => {
  const { value } = await makeToken({ adopts: true });
  const person = await aMember('Reader');
  const adopted = await scim('POST', '/Users', { userName: person.email, displayName: 'Adopted' }, value);
  assert.deepEqual([adopted.status, adopted.json.id], [201, person.id]);
  isError(await scim('POST', '/Users', { userName: person.email }, value), 409, 'uniqueness');
  const { json: group } = await call('POST', '/v1/admin/user-groups', { name: `By hand ${randomUUID()}` });
  const taken = await scim('POST', '/Groups', { displayName: group.name, members: [{ value: person.id }] }, value);
  assert.deepEqual([taken.status, taken.json.id], [201, group.id]);
  const boss = await aMember('Reader');
  await call('PATCH', `/v1/admin/users/${boss.id}`, { tenant_admin: true });
  isError(await scim('POST', '/Users', { userName: boss.email }, value), 409, 'uniqueness');
});

test('SCIM makes no administrator, and neither removes the last one nor changes the address of one', async () => {
  const user = await aUser({ tenant_admin: true, roles: [{ value: 'admin' }], groups: [{ value: 'admin' }] });
  assert.equal((await call('GET', `/v1/admin/users/${user.id}`)).json.tenant_admin, false);
  await patch(`/Users/${user.id}`, { op: 'add', value: { tenant_admin: true, roles: [{ value: 'org:admin' }] } });
  assert.equal((await call('GET', `/v1/admin/users/${user.id}`)).json.tenant_admin, false);

  const others = (await call('GET', '/v1/admin/users?size=100')).json.items as { id: string; tenant_admin: boolean }[];
  await call('PATCH', `/v1/admin/users/${user.id}`, { tenant_admin: true });
  for (const { id } of others.filter(({ tenant_admin }) => tenant_admin))
    await call('PATCH', `/v1/admin/users/${id}`, { tenant_admin: false });
  // Whoever had the address could set a new password by mail.
  isError(await patch(`/Users/${user.id}`, { op: 'replace', path: 'emails', value: [{ value: anAddress() }] }), 403);
  isError(await patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value: false }), 409);
  isError(await scim('PUT', `/Users/${user.id}`, { userName: user.userName, active: false }), 409);
  isError(await scim('DELETE', `/Users/${user.id}`), 409);
  assert.equal((await call('GET', `/v1/admin/users/${user.id}`)).json.active, true);
  const second = await aMember('Reader');
  await call('PATCH', `/v1/admin/users/${second.id}`, { tenant_admin: true });
  assert.equal((await scim('DELETE', `/Users/${user.id}`)).status, 204, 'not the last one any more');
});

test('a deleted user is deactivated, out of the groups of the directory and forgotten by SCIM', async () => {
  const user = await aUser();
  const group = await aGroup([user.id]);
  const cookie = await signInAs(user);
  const { token: link } = (await call('POST', `/v1/admin/users/${user.id}/password-reset`)).json;
  assert.equal((await scim('DELETE', `/Users/${user.id}`)).status, 204);
  isError(await scim('GET', `/Users/${user.id}`), 404);
  isError(await scim('DELETE', `/Users/${user.id}`), 404);
  assert.equal((await call('GET', '/v1/auth/session', undefined, as(cookie))).status, 401);
  assert.equal((await call('GET', `/v1/admin/users/${user.id}`)).json.active, false);
  assert.equal((await call('GET', `/v1/admin/user-groups/${group.id}`)).json.member_count, 0);
  await call('POST', '/v1/auth/password-reset', { token: link, password }, { key: null });
  assert.equal((await signIn(user.userName)).status, 401);
  isError(await scim('POST', '/Users', { userName: user.userName }), 409, 'uniqueness');
  const { value } = await makeToken({ adopts: true });
  assert.equal((await scim('POST', '/Users', { userName: user.userName }, value)).json.id, user.id);
});

test('a new address ends the links that were made for the old one', async () => {
  const user = await aUser();
  const { token: link } = (await call('POST', `/v1/admin/users/${user.id}/password-reset`)).json;
  await patch(`/Users/${user.id}`, { op: 'replace', path: 'emails[primary eq true].value', value: anAddress() });
  const answer = await call('POST', '/v1/auth/password-reset', { token: link, password }, { key: null });
  assert.equal(answer.status, 403);
});

test('a SCIM token works at /scim/v2 alone, is shown once, stored as a hash and ends when it is revoked', async () => {
  const made = await makeToken();
  const listed = (await call('GET', '/v1/admin/scim-tokens')).json as {
    id: string;
    value: string;
    last_used_at: string;
  }[];
  const shown = listed.find(({ id }) => id === made.id);
  assert.ok(shown && shown.value.length < 12 && made.value.startsWith(shown.value.slice(0, -1)));
  assert.equal(shown.last_used_at, null);
  const rows = JSON.stringify(await query('select * from scim_tokens'));
  assert.ok(!rows.includes(made.value));
  assert.equal((await scim('GET', '/Users', undefined, made.value)).status, 200);
  for (const headers of [{ authorization: `Bearer ${made.value}` }, { 'x-api-key': made.value }])
    for (const path of ['/v1/admin/me', '/v1/agents', '/v1/admin/users', '/v1/admin/scim-tokens'])
      assert.equal((await call('GET', path, undefined, { key: null, headers })).status, 401);
  const inKeyHeader = await call('GET', '/scim/v2/Users', undefined, { key: made.value });
  isError(inKeyHeader, 401);
  const host = await aMember('Admin');
  for (const [method, path, body] of [
    ['GET', '/v1/admin/scim-tokens', undefined],
    ['POST', '/v1/admin/scim-tokens', { name: 'x' }],
    ['DELETE', `/v1/admin/scim-tokens/${made.id}`, undefined],
  ] as const)
    assert.equal((await call(method, path, body, as(host.cookie))).status, 403);
  isError(await call('GET', '/scim/v2/Users', undefined, as(host.cookie)), 401);
  assert.equal((await call('DELETE', `/v1/admin/scim-tokens/${made.id}`)).status, 200);
  isError(await scim('GET', '/Users', undefined, made.value), 401);
  assert.ok(!testing.logged.join('\n').includes(made.value), 'no token in the log');
});

test('the descriptions name what the server can do', async () => {
  const config = (await scim('GET', '/ServiceProviderConfig')).json;
  assert.deepEqual([config.patch.supported, config.filter.supported, config.bulk.supported], [true, true, false]);
  const types = (await scim('GET', '/ResourceTypes')).json.Resources;
  assert.deepEqual(
    types.map(({ endpoint }: { endpoint: string }) => endpoint),
    ['/Users', '/Groups'],
  );
  const { json: schemas } = await scim('GET', '/Schemas');
  assert.deepEqual(
    schemas.Resources.map(({ id }: { id: string }) => id),
    [userUrn, groupUrn],
  );
  assert.equal((await scim('GET', `/Schemas/${userUrn}`)).json.name, 'User');
  assert.equal((await scim('GET', '/ResourceTypes/Group')).json.schema, groupUrn);
  isError(await scim('GET', '/Schemas/urn:none'), 404);
});

test('two directories that create one user at the same moment leave one', async () => {
  const userName = anAddress();
  const made = await Promise.all(Array.from({ length: 4 }, () => scim('POST', '/Users', { userName })));
  assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
});

test('a filter with a character that no record can hold is refused', async () => {
  const filter = encodeURIComponent('userName eq "a\\u0000"');
  for (const path of [`/Users?filter=${filter}`, `/Groups?filter=${filter.replace('userName', 'displayName')}`])
    isError(await scim('GET', path), 400, 'invalidFilter');
});
