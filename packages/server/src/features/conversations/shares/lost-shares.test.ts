import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { listenOnSocket } from '../../../../test/support/socket-client.ts';
import { openEventsAt } from '../../events/testing.ts';
import { as, cookieOf, makePeopleIn } from '../../people/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const { call } = app;
const { port } = await listenOnSocket(app.app);
const openEvents = openEventsAt(port);
const people = await makePeopleIn(app);
const ada = await people.aMember('Reader');
type Member = typeof ada;
const by = ({ cookie }: Member) => as(cookie);
const agent = (await call('POST', '/v1/agents', { name: 'Desk' })).json;
const members = `/v1/admin/groups/${people.home}/members`;
const memberGroups = `/v1/admin/groups/${people.home}/member-groups`;
const role_id = people.roleNamed('Reader');

async function begin(): Promise<string> {
  return (await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Trip' }, by(ada))).json.id;
}
async function share(id: string, grantee: object, owner = by(ada)) {
  const made = await call('POST', `/v1/conversations/${id}/shares`, grantee, owner);
  assert.equal(made.status, 200, made.text);
  return made.json as { id: string };
}
const sees = async (id: string, reader: Member) =>
  (await call('GET', `/v1/conversations/${id}`, undefined, by(reader))).status === 200;
async function signInAgain(person: Member): Promise<Member> {
  return { ...person, cookie: cookieOf(await people.signIn(person.email)) };
}
async function aTeam(...persons: Member[]): Promise<string> {
  const { json } = await call('POST', '/v1/admin/user-groups', { name: `Team ${persons[0]?.id}` });
  for (const { id } of persons)
    assert.equal((await call('PUT', `/v1/admin/user-groups/${json.id}/members/${id}`)).status, 200);
  assert.equal((await call('PUT', `${memberGroups}/${json.id}`, { role_id })).status, 200);
  return json.id;
}
const sharesOf = async (id: string) =>
  (await call('GET', `/v1/conversations/${id}/shares`, undefined, by(ada))).json.items.length;

test('a person who is removed and comes back sees nothing that was shared with them before', async () => {
  const bo = await people.aMember('Reader');
  const id = await begin();
  const { id: share_id } = await share(id, { person_id: bo.id, access: 'write' });
  // Another role, or the same given again, ends no share.
  await call('PUT', `${members}/${bo.id}`, { role_id: people.roleNamed('Editor') });
  assert.ok(await sees(id, await signInAgain(bo)));
  assert.equal((await call('DELETE', `${members}/${bo.id}`)).status, 200);
  assert.equal(await sharesOf(id), 0);
  await call('PUT', `${members}/${bo.id}`, { role_id });
  assert.equal(await sees(id, await signInAgain(bo)), false);
  const { items } = (await call('GET', `/v1/admin/audit?target_id=${share_id}`)).json;
  const ended = items.find(({ operation }: { operation: string }) => operation === 'conversations.unshareWith');
  assert.partialDeepStrictEqual(ended, { outcome: 'done', before: { grantee_id: bo.id, access: 'write' } });
  assert.equal((await call('GET', '/v1/admin/audit/verify')).json.ok, true);
});

test('shares end with the last way into the workspace, by membership or by a group', async () => {
  const bo = await people.aMember('Reader');
  const team = await aTeam(bo);
  const id = await begin();
  await share(id, { person_id: bo.id });
  await call('DELETE', `${members}/${bo.id}`);
  assert.equal(await sharesOf(id), 1);
  assert.ok(await sees(id, await signInAgain(bo)));
  await call('DELETE', `${memberGroups}/${team}`);
  assert.equal(await sharesOf(id), 0);

  const cy = await people.aMember('Reader');
  const other = await aTeam(cy);
  await call('DELETE', `${members}/${cy.id}`);
  await share(id, { person_id: cy.id });
  await call('DELETE', `/v1/admin/user-groups/${other}`);
  assert.equal(await sharesOf(id), 0);
});

test('tells the members of a group and the holders of a role when a share with them ends', async () => {
  const [bo, cy, dee] = [
    await people.aMember('Reader'),
    await people.aMember('Reader'),
    await people.aMember('Editor'),
  ];
  const team = await aTeam(bo);
  const feeds = await Promise.all([bo, cy, dee].map((person) => openEvents(by(person).headers)));
  const [ofBo, ofCy, ofDee] = feeds;
  const id = await begin();
  const { id: ofTeam } = await share(id, { user_group_id: team });
  await call('DELETE', `/v1/conversations/${id}/shares/${ofTeam}`, undefined, by(ada));
  await ofBo?.heard('conversation.unshared', id);

  const second = await begin();
  const { id: ofRole } = await share(second, { role_id });
  await call('DELETE', `/v1/conversations/${second}/shares/${ofRole}`, undefined, by(ada));
  await ofCy?.heard('conversation.unshared', second);
  await ofBo?.heard('conversation.unshared', second);
  assert.deepEqual(
    ofDee?.events.filter(({ target_id }) => target_id === id || target_id === second),
    [],
  );
});

test('tells a person who leaves a group, and one who loses a role, what they do not see any more', async () => {
  const [bo, cy] = [await people.aMember('Reader'), await people.aMember('Reader')];
  const team = await aTeam(bo, cy);
  const [id, kept] = [await begin(), await begin()];
  await share(id, { user_group_id: team });
  await share(kept, { user_group_id: team });
  await share(kept, { person_id: bo.id });
  const [ofBo, ofCy] = await Promise.all([bo, cy].map((person) => openEvents(by(person).headers)));
  await call('DELETE', `/v1/admin/user-groups/${team}/members/${bo.id}`);
  await ofBo?.heard('conversation.unshared', id);
  const heardOf = (feed: typeof ofBo, conversation: string) =>
    feed?.events.filter(({ event, target_id }) => event === 'conversation.unshared' && target_id === conversation);
  assert.deepEqual(heardOf(ofBo, kept), []);
  assert.ok(await sees(kept, bo));
  // The group itself goes, with its shares.
  assert.deepEqual(heardOf(ofCy, kept), []);
  await call('DELETE', `/v1/admin/user-groups/${team}`);
  await ofCy?.heard('conversation.unshared', kept);

  const ofRole = await begin();
  await share(ofRole, { role_id });
  const { headers } = by(await signInAgain(cy));
  const before = await openEvents(headers);
  await share(ofRole, { person_id: bo.id });
  await before.heard('conversation.shared', ofRole);
  const last = before.events.at(-1)?.id;
  await call('PUT', `${members}/${cy.id}`, { role_id: people.roleNamed('Editor') });
  const resumed = await openEvents({ ...by(await signInAgain(cy)).headers, 'last-event-id': String(last) });
  await resumed.heard('conversation.unshared', ofRole);
});
