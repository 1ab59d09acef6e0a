import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { operations } from '@atrium/contract/operations.ts';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { listenOnSocket } from '../../../../test/support/socket-client.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { openEventsAt } from '../../events/testing.ts';
import { as, cookieOf, makePeopleIn } from '../../people/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const { call, query, workspace } = app;
const { port } = await listenOnSocket(app.app);
const openEvents = openEventsAt(port);
const people = await makePeopleIn(app);
const ada = await people.aMember('Reader');
const boss = await people.aMember('Admin');
type Member = typeof ada;

const model = await app.provider();
model.server.answers = () => ({ text: 'Good day.' });
const settings = { model: [`${model.name}/one`] };
const agent = (await call('POST', '/v1/agents', { name: 'Desk', definition: settings })).json;

const by = ({ cookie }: Member) => as(cookie);
async function begin(owner: Member, content = 'Hello') {
  const made = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Trip' }, by(owner));
  assert.equal(made.status, 200, made.text);
  const said = await call('POST', `/v1/conversations/${made.json.id}`, { content }, by(owner));
  assert.equal(said.status, 200, said.text);
  return said.json;
}
const share = (id: string, kind: string, grantee_id: string, access = 'read', owner = ada) =>
  call('POST', `/v1/conversations/${id}/shares`, { [`${kind}_id`]: grantee_id, access }, by(owner));
async function shared(...args: Parameters<typeof share>) {
  const made = await share(...args);
  assert.equal(made.status, 200, made.text);
  return made.json;
}
const get = (id: string, reader: Member, path = '') =>
  call('GET', `/v1/conversations/${id}${path}`, undefined, by(reader));
const send = (id: string, writer: Member, content = 'And now?') =>
  call('POST', `/v1/conversations/${id}/chat`, { content }, by(writer));
const listed = async (reader: Member, search = '') =>
  (await call('GET', `/v1/conversations?shared=true${search}`, undefined, by(reader))).json.items.map(
    ({ id }: { id: string }) => id,
  );

test('lets a person read a conversation that is shared with them, and list it, until it is unshared', async () => {
  const [bo, cy] = [await people.aMember('Reader'), await people.aMember('Reader')];
  const { id } = await begin(ada);
  assert.equal((await get(id, bo)).status, 404);
  const made = await shared(id, 'person', bo.id);
  assert.partialDeepStrictEqual(made, { kind: 'person', grantee_id: bo.id, grantee_name: 'Bo', access: 'read' });
  assert.equal(made.created_by_actor.id, ada.id);

  const { json } = await get(id, bo);
  assert.deepEqual([json.shared_access, json.public_access_token], ['read', null]);
  assert.deepEqual([json.may.send, json.may.edit, json.may.delete, json.may.share], [false, false, false, false]);
  assert.equal((await get(id, bo, '/messages')).json.items.length, 2);
  assert.deepEqual(await listed(bo), [id]);
  assert.deepEqual(await listed(bo, '&view=summary'), [id]);
  assert.deepEqual(await listed(cy), []);
  assert.deepEqual(await listed(ada), []);
  assert.equal((await get(id, cy)).status, 404);
  const found = await call('GET', '/v1/search?q=Hello&types=messages', undefined, by(bo));
  assert.ok(found.text.includes(id), found.text);
  assert.equal((await get(id, ada)).json.shared_access, null);

  const ended = await call('DELETE', `/v1/conversations/${id}/shares/${made.id}`, undefined, by(ada));
  assert.equal(ended.status, 200, ended.text);
  assert.equal((await get(id, bo)).status, 404);
  assert.deepEqual(await listed(bo), []);
});

test('counts the answers that stay hidden from readers who may not read their documents', async () => {
  const { id, messages } = await begin(ada);
  await send(id, ada);
  const count = async () => (await get(id, ada, '/shares')).json.restricted_answers;
  assert.equal(await count(), 0);
  const { run_id } = messages.at(-1).metadata;
  const { group_id } = (await get(id, ada)).json;
  for (const rights_id of [1, 2])
    await query('insert into run_rights (workspace_id, run_id, rights_id) values ($1, $2, $3)', [
      group_id,
      run_id,
      rights_id,
    ]);
  assert.equal(await count(), 1);
});

test('refuses every change to a person who may read only, and to one who may write all that is the owner’s', async () => {
  const [reader, writer] = [await people.aMember('Reader'), await people.aMember('Reader')];
  const { id, messages } = await begin(ada);
  await shared(id, 'person', reader.id);
  await shared(id, 'person', writer.id, 'write');
  const other = '00000000-0000-7000-8000-000000000001';
  const changes = operations.filter(
    ({ route, permission }) =>
      route.includes('{conversation_id}') && permission === 'agents_run' && !route.startsWith('GET'),
  );
  const ofReaders = ['conversations.mark', 'conversations.unshareWith'];
  const ofWriters = /^(messages|approvals|feedback|branches)\./;
  assert.ok(changes.length > 15);
  for (const { id: operation, route, example } of changes) {
    const [method = '', path = ''] = route.split(' ');
    const url = path
      .replace('{conversation_id}', id)
      .replace('{message_id}', messages[0].id)
      .replace(/\{\w+\}/g, other);
    const body = method === 'DELETE' ? undefined : (example ?? {});
    const answer = await call(method, url, body, by(reader));
    const codes = ofWriters.test(operation) ? ['shared_read_only'] : ['not_owner'];
    if (ofReaders.includes(operation)) assert.notEqual(answer.status, 403, `${operation}: ${answer.text}`);
    else if (answer.status !== 422) assert.deepEqual([answer.json.code], codes, `${operation}: ${answer.text}`);
    if (ofWriters.test(operation) || ofReaders.includes(operation)) continue;
    const refused = await call(method, url, body, by(writer));
    if (refused.status !== 422) assert.equal(refused.json.code, 'not_owner', `${operation}: ${refused.text}`);
  }
  assert.equal((await get(id, ada)).json.name, 'Trip');
  // Sharing further is the owner's.
  assert.equal((await share(id, 'person', boss.id, 'read', writer)).json.code, 'not_owner');
});

test('lets a person who may write send messages as themselves, with the permissions of their own', async () => {
  const bo = await people.aMember('Reader');
  const { id } = await begin(ada);
  await shared(id, 'person', bo.id, 'write');
  const sent = await send(id, bo);
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.json.status, 'completed');
  const { json } = await get(id, ada, '/messages?order=oldest');
  assert.deepEqual(
    json.items.map(({ written_by }: { written_by: string | null }) => written_by),
    [ada.id, null, bo.id, null],
  );
  const [{ run_id }] = json.items.slice(-1).map(({ metadata }: { metadata: { run_id: string } }) => metadata);
  assert.equal((await call('GET', `/v1/runs/${run_id}`, undefined, by(bo))).status, 200);
  const again = await call('POST', `/v1/conversations/${id}/shares`, { person_id: bo.id }, by(ada));
  assert.equal(again.json.access, 'read');
  assert.equal((await send(id, bo)).json.code, 'shared_read_only');
  assert.equal((await get(id, ada, '/shares')).json.items.length, 1);
});

test('shares with the members of a group and the holders of a role as they are now; owners keep their rights', async () => {
  const [bo, cy] = [await people.aMember('Reader'), await people.aMember('Editor')];
  const group = (await call('POST', '/v1/admin/user-groups', { name: `Team ${bo.id}` })).json;
  const { id } = await begin(ada);
  assert.equal((await share(id, 'user_group', group.id)).status, 404);
  const role_id = people.roleNamed('Reader');
  await call('PUT', `/v1/admin/groups/${people.home}/member-groups/${group.id}`, { role_id });
  await shared(id, 'user_group', group.id, 'write');
  assert.equal((await get(id, bo)).status, 404);
  const member = `/v1/admin/user-groups/${group.id}/members`;
  for (const person of [bo, ada]) assert.equal((await call('PUT', `${member}/${person.id}`)).status, 200);
  assert.equal((await send(id, bo)).status, 200);
  assert.deepEqual([(await get(id, ada)).json.shared_access, (await send(id, ada)).status], [null, 200]);
  await call('DELETE', `${member}/${bo.id}`);
  assert.equal((await get(id, bo)).status, 404);

  const second = await begin(ada);
  await shared(second.id, 'role', role_id);
  assert.equal((await get(second.id, bo)).json.shared_access, 'read');
  assert.equal((await call('PATCH', `/v1/conversations/${second.id}`, { name: 'Mine' }, by(ada))).status, 200);
  await call('PUT', `/v1/admin/groups/${people.home}/members/${bo.id}`, { role_id: people.roleNamed('Editor') });
  const boAgain = { ...bo, cookie: cookieOf(await people.signIn(bo.email)) };
  assert.deepEqual([(await get(second.id, cy)).status, (await get(second.id, boAgain)).status], [404, 404]);
});

test('gives nothing to other workspaces, guests and keys of no person', async () => {
  const { id } = await begin(ada);
  const elsewhere = await app.workspace();
  const stranger = await people.aMember('Reader', elsewhere.id);
  assert.equal((await share(id, 'person', stranger.id)).status, 404);
  await shared(id, 'role', people.roleNamed('Reader'));
  assert.equal((await get(id, stranger)).status, 404);
  assert.deepEqual(await listed(stranger), []);
  const path = `/v1/conversations/${id}/shares`;
  assert.equal((await call('GET', path, undefined, { key: elsewhere.key })).status, 404);
  const body = { person_id: ada.id };
  assert.equal((await call('POST', path, body, { key: elsewhere.key })).status, 404);
  const listing = await call('GET', '/v1/conversations?shared=true', undefined, { key: elsewhere.key });
  assert.equal(listing.json.code, 'not_a_person');
  assert.equal((await share(id, 'person', ada.id)).json.code, 'own_conversation');
  const two = { person_id: boss.id, role_id: people.roleNamed('Reader') };
  assert.equal((await call('POST', path, two, by(ada))).status, 422);
  const link = (await call('POST', `/v1/conversations/${id}/share`, {}, by(ada))).json.public_access_token;
  const guest = await call('GET', `/v1/public/conversations/${link}`, undefined, { key: null });
  assert.deepEqual([guest.status, guest.text.includes('shares')], [200, false]);
});

test('lists whom to share with by name, without mail addresses', async () => {
  const bo = await people.aMember('Reader');
  await query('update people set name = $2 where id = $1', [bo.id, 'Zelda Quist']);
  const { json, text } = await call('GET', '/v1/audience?search=zelda', undefined, by(ada));
  assert.deepEqual(json.items, [{ kind: 'person', id: bo.id, name: 'Zelda Quist' }]);
  assert.ok(!text.includes('@'));
  const roles = (await call('GET', '/v1/audience?kind=role', undefined, by(ada))).json.items;
  assert.ok(roles.some(({ id }: { id: string }) => id === people.roleNamed('Reader')));
});

test('lists the roles that an administrator of a workspace can give, and none to a weaker key', async () => {
  const [own, other] = [await workspace(['workspace_admin']), await workspace()];
  const make = async (name: string, group_id?: string, scope = 'workspace') =>
    (await call('POST', '/v1/admin/roles', { name, group_id, scope })).json.id as string;
  const [ours, theirs, top] = [
    await make('Ours', own.id),
    await make('Theirs', other.id),
    await make('Top', undefined, 'organization'),
  ];
  const list = (key: string | null) => call('GET', '/v1/audience?kind=role', undefined, { key });
  const ids = (await list(own.key)).json.items.map(({ id }: { id: string }) => id) as string[];
  assert.ok(ids.includes(ours) && ids.includes(people.roleNamed('Reader')));
  assert.ok(!ids.includes(theirs) && !ids.includes(top));
  assert.equal((await call('GET', '/v1/admin/roles', undefined, { key: own.key })).status, 403);
  const drawer = (await workspace(['flows_edit'])).key;
  const kinds = ['', '?kind=role', '?kind=person'].map(async (query) => {
    const { status, json } = await call('GET', `/v1/audience${query}`, undefined, { key: drawer });
    return [status, json.items.some(({ kind }: { kind: string }) => kind === 'role')];
  });
  assert.deepEqual(await Promise.all(kinds), Array(3).fill([200, false]), 'flows_edit names people and groups alone');
  const weaker = (await workspace(['tables_read'])).key;
  assert.equal((await list(weaker)).status, 403);
  assert.equal((await list(null)).status, 401);
});

test('notifies who it is shared with, tells them of what happens in it, and lets them leave', async () => {
  const [bo, cy] = [await people.aMember('Reader'), await people.aMember('Reader')];
  const { id } = await begin(ada);
  const [ofBo, ofCy] = await Promise.all([bo, cy].map(({ cookie }) => openEvents(as(cookie).headers)));
  const made = await shared(id, 'person', bo.id);
  await ofBo?.heard('conversation.shared', id);
  await until('the person is notified', async () => {
    const { items } = (await call('GET', '/v1/me/notifications', undefined, by(bo))).json;
    return items.find(
      ({ kind, target }: { kind: string; target: { id: string } }) => kind === 'shared' && target.id === id,
    );
  });
  await send(id, ada);
  await until('its runs are told', async () => ofBo?.events.some(({ event }) => event === 'run.completed'));
  const left = await call('DELETE', `/v1/conversations/${id}/shares/${made.id}`, undefined, by(bo));
  assert.equal(left.status, 200, left.text);
  await ofBo?.heard('conversation.unshared', id);
  assert.equal((await get(id, bo)).status, 404);
  assert.deepEqual(
    ofCy?.events.filter(({ target_id }) => target_id === id),
    [],
  );
  const audit = (await call('GET', '/v1/admin/audit?size=100')).text;
  assert.ok(audit.includes('conversations.shareWith') && audit.includes('conversations.unshareWith'));
});

test('cuts the open stream of a person whom the conversation is no longer shared with', async () => {
  const bo = await people.aMember('Reader');
  const { id } = await begin(ada);
  const { id: share_id } = await shared(id, 'person', bo.id);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  model.server.answers = () => ({ text: 'word and more', deltas: 2, held: { before: 'more', until: held } });
  const asked = call('POST', `/v1/conversations/${id}?if_running=reject`, { content: 'Go on' }, by(ada));
  await until('the run has begun', async () => (await get(id, ada)).json.status === 'running');
  const { headers } = as(bo.cookie);
  const out = request({ port, path: `/v1/conversations/${id}/events`, agent: false, headers }).end();
  const [response] = (await once(out, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  response.resume();
  const cut = once(response, 'error');
  await call('DELETE', `/v1/conversations/${id}/shares/${share_id}`, undefined, by(ada));
  const [error] = await cut;
  assert.equal(error.code, 'ECONNRESET');
  release();
  await asked;
  model.server.answers = () => ({ text: 'Good day.' });
});
