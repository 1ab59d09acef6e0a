import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@atrium/contract/operations.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const { call, query } = app;
const people = await makePeopleIn(app);
const ada = await people.aMember('Reader');
const bo = await people.aMember('Reader');
const boss = await people.aMember('Admin');
await query('update people set name = $2 where id = $1', [ada.id, 'Ada Byron']);

const model = await app.provider();
model.server.answers = () => ({ text: 'Good day.' });
const settings = { model: [`${model.name}/one`] };
const agent = (await call('POST', '/v1/agents', { name: 'Desk', definition: settings })).json;

const begin = async (cookie: string) => {
  const made = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Trip' }, as(cookie));
  assert.equal(made.status, 200, made.text);
  return made.json;
};
const say = (id: string, cookie: string, content = 'Hello') =>
  call('POST', `/v1/conversations/${id}/chat`, { content }, as(cookie));
const systemOf = (request: { body: unknown }) => JSON.stringify(request.body);

test('stores the person who begins a conversation, and names the writers of its messages', async () => {
  const made = await begin(ada.cookie);
  const actor = { id: ada.id, name: 'Ada Byron', kind: 'person' };
  assert.deepEqual([made.api_key_id, made.created_by, made.created_by_actor], [null, ada.id, actor]);
  await say(made.id, ada.cookie);
  const { json } = await call('GET', `/v1/conversations/${made.id}/messages?order=oldest`, undefined, as(boss.cookie));
  assert.deepEqual(
    json.items.map((item: { written_by: string; written_by_actor: unknown }) => [
      item.written_by,
      item.written_by_actor,
    ]),
    [
      [ada.id, actor],
      [null, null],
    ],
  );
  const listed = await call('GET', '/v1/conversations?mine=true', undefined, as(ada.cookie));
  assert.deepEqual(listed.json.items[0].created_by_actor, actor);
});

test('shows the new name of a person everywhere when it changes, and none when it is erased', async () => {
  const made = await begin(bo.cookie);
  const nameNow = async () =>
    (await call('GET', `/v1/conversations/${made.id}`, undefined, as(boss.cookie))).json.created_by_actor.name;
  await query('update people set name = $2 where id = $1', [bo.id, 'Bo Diddley']);
  assert.equal(await nameNow(), 'Bo Diddley');
  await query(`update conversations set created_by = '00000000-0000-7000-8000-000000000009' where id = $1`, [made.id]);
  const { created_by_actor } = (await call('GET', `/v1/conversations/${made.id}`)).json;
  assert.deepEqual([created_by_actor.name, created_by_actor.kind], [null, null]);
});

test('hides conversations of others from a person without conversations_read, in every operation', async () => {
  const made = await begin(ada.cookie);
  const reply = (await say(made.id, ada.cookie)).json;
  const run_id = (await call('GET', `/v1/conversations/${made.id}`)).json.messages.at(-1).metadata.run_id;
  const message_id = (await call('GET', `/v1/conversations/${made.id}`)).json.messages[0].id;
  assert.ok(reply);
  const other = '00000000-0000-7000-8000-000000000001';
  const ofConversations = operations.filter(
    ({ route, permission }) =>
      (route.includes('{conversation_id}') && permission === 'agents_run') || /runs\/\{run_id\}/.test(route),
  );
  assert.ok(ofConversations.length > 25);
  for (const { id, route, permission, example } of ofConversations) {
    if (permission !== 'agents_run' && permission !== 'any') continue;
    const [method = '', path = ''] = route.split(' ');
    const url = path
      .replace('{conversation_id}', made.id)
      .replace('{run_id}', run_id)
      .replace('{message_id}', message_id)
      .replace(/\{\w+\}/g, other);
    const body = method === 'GET' || method === 'DELETE' ? undefined : (example ?? {});
    const answer = await call(method, url, body, as(bo.cookie));
    assert.equal(answer.status, 404, `${id}: ${answer.text}`);
  }
  const lists = async (cookie: string) =>
    Promise.all(
      ['/v1/conversations?size=100&include_empty=true', '/v1/runs?kind=conversation&size=100'].map(async (path) =>
        (await call('GET', path, undefined, as(cookie))).text.includes(made.id),
      ),
    );
  assert.deepEqual(await lists(bo.cookie), [false, false]);
  assert.deepEqual(await lists(ada.cookie), [true, true]);
  assert.deepEqual(await lists(boss.cookie), [true, true]);
  assert.equal((await call('GET', `/v1/runs?conversation_id=${made.id}`, undefined, as(bo.cookie))).status, 404);
  assert.equal((await call('GET', `/v1/conversations/${made.id}`, undefined, as(boss.cookie))).status, 200);
});

test('shows every conversation to a key from before, and to a new one only its own', async () => {
  const made = await begin(ada.cookie);
  const keysAt = `/v1/admin/groups/${people.home}/api-keys`;
  const statusWith = async (more: object) => {
    const key = (await call('POST', keysAt, { name: 'Backend', permissions: ['agents_run'], ...more })).json.value;
    return (await call('GET', `/v1/conversations/${made.id}`, undefined, { key })).status;
  };
  assert.deepEqual([await statusWith({ reach: 'workspace' }), await statusWith({})], [200, 404]);
});

test('hides conversations of others from a key whose owner may not read them any more', async () => {
  const person = await people.aMember('Admin');
  const keysAt = `/v1/admin/groups/${people.home}/api-keys`;
  const key = (await call('POST', keysAt, { name: 'Mine' }, as(person.cookie))).json.value;
  const [others, own] = [await begin(ada.cookie), await begin(person.cookie)];
  const statusOf = async ({ id }: { id: string }) =>
    (await call('GET', `/v1/conversations/${id}`, undefined, { key })).status;
  assert.deepEqual([await statusOf(others), await statusOf(own)], [200, 200]);
  const role_id = people.roleNamed('Reader');
  await call('PUT', `/v1/admin/groups/${people.home}/members/${person.id}`, { role_id });
  assert.deepEqual([await statusOf(others), await statusOf(own)], [404, 200]);
  const listed = (await call('GET', '/v1/conversations?size=100&include_empty=true', undefined, { key })).text;
  assert.deepEqual([listed.includes(others.id), listed.includes(own.id)], [false, true]);
  const sent = await call('POST', `/v1/conversations/${others.id}/chat`, { content: 'Hello' }, { key });
  assert.equal(sent.status, 404, sent.text);
});

test('hides sandboxes of other people’s conversations from a person without conversations_read', async () => {
  const [ed, eve] = [await people.aMember('Editor'), await people.aMember('Editor')];
  const made = await begin(ed.cookie);
  const id = '00000000-0000-7000-8000-0000000000a1';
  await query(
    `insert into sandboxes (workspace_id, id, label, persistent, network, status, engine, isolation, created_by,
       conversation_id, ref) values ($1, $2, 'L', true, false, 'running', 'just-bash', 'emulated', $3, $4, 'none')`,
    [people.home, id, ed.id, made.id],
  );
  const seenBy = async ({ cookie }: { cookie: string }) => [
    (await call('GET', '/v1/sandboxes', undefined, as(cookie))).json.total,
    (await call('GET', `/v1/sandboxes/${id}`, undefined, as(cookie))).status,
  ];
  assert.deepEqual(
    [await seenBy(eve), await seenBy(ed), await seenBy(boss)],
    [
      [0, 404],
      [1, 200],
      [1, 200],
    ],
  );
  const ofSandbox = operations.filter(({ route }) => route.includes('{sandbox_id}'));
  assert.ok(ofSandbox.length > 7);
  for (const { id: name, route, example } of ofSandbox) {
    const [method = '', path = ''] = route.split(' ');
    const body = method === 'GET' || method === 'DELETE' ? undefined : (example ?? {});
    const url = `${path.replace('{sandbox_id}', id).replace('{terminal_id}', id)}?path=a.txt`;
    const answer = await call(method, name.includes('ile') ? url : (url.split('?', 1)[0] ?? ''), body, as(eve.cookie));
    assert.equal(answer.status, 404, `${name}: ${answer.text}`);
  }
  await query('delete from sandboxes where id = $1', [id]);
});

test('lets the person who began a conversation share it', async () => {
  const made = await begin(ada.cookie);
  const shared = await call('POST', `/v1/conversations/${made.id}/share`, {}, as(ada.cookie));
  assert.equal(shared.status, 200, shared.text);
  const token = shared.json.public_access_token;
  assert.ok(token);
  const seen = await call('GET', `/v1/public/conversations/${token}`, undefined, { key: null });
  assert.equal(seen.status, 200);
  assert.doesNotMatch(seen.text, /Ada Byron/);
});

test('names a guest by the link, without a name', async () => {
  const made = await begin(ada.cookie);
  const { public_access_token: token } = (await call('POST', `/v1/conversations/${made.id}/share`, {}, as(ada.cookie)))
    .json;
  await call('POST', `/v1/public/conversations/${token}/stream`, { content: 'Hi' }, { key: null });
  const { messages } = (await call('GET', `/v1/conversations/${made.id}`)).json;
  assert.deepEqual(messages[0].written_by_actor, { id: made.id, name: null, kind: 'link' });
});

test("puts the person's name into the prompt unless exclude_user_identity_from_prompt is set", async () => {
  const made = await begin(ada.cookie);
  await say(made.id, ada.cookie);
  // A name is personal data, which anonymizing covers here too.
  assert.match(systemOf(model.server.last()), /You are talking to <PERSON_1>\./);
  await call('PATCH', `/v1/conversations/${made.id}`, { settings: { pii_anonimization: [] } });
  await say(made.id, ada.cookie);
  assert.match(systemOf(model.server.last()), /You are talking to Ada Byron\./);
  const hiding = await call('PATCH', `/v1/conversations/${made.id}`, {
    settings: { exclude_user_identity_from_prompt: true },
  });
  assert.equal(hiding.status, 200, hiding.text);
  await say(made.id, ada.cookie);
  assert.doesNotMatch(systemOf(model.server.last()), /Ada Byron/);
});

test('takes a key of a person for the person: the name in the prompt, and one memory', async () => {
  const made = await call('POST', `/v1/admin/groups/${people.home}/api-keys`, { name: 'Script' }, as(boss.cookie));
  assert.equal(made.status, 200, made.text);
  await query('update people set name = $2 where id = $1', [boss.id, 'Grace Hopper']);
  const caller = { key: made.json.value as string };
  const tools = { base_tools: [{ type: 'agent_memory', enabled: true }], pii_anonimization: [] };
  const definition = { ...settings, ...tools };
  const keeper = (await call('POST', '/v1/agents', { name: 'Keeper of keys', definition })).json;
  const ask = async (by: object) => {
    const { json: talk } = await call('POST', `/v1/conversations?assistant_id=${keeper.id}`, { name: 'x' }, by);
    const said = await call('POST', `/v1/conversations/${talk.id}/chat`, { content: 'Hello' }, by);
    assert.equal(said.status, 200, said.text);
    return systemOf(model.server.last());
  };
  const calls = (name: string, input: object) => {
    model.server.answers = (body) =>
      JSON.stringify(body).includes('"role":"tool"') ? { text: 'Done.' } : { tool_calls: [{ id: 'c', name, input }] };
  };
  calls('agent_memory_remember', { text: 'prefers the aisle' });
  assert.match(await ask(caller), /You are talking to Grace Hopper\./);
  const { items } = (await call('GET', `/v1/agents/${keeper.id}/memories`)).json;
  assert.deepEqual([items[0].subject, items[0].subject_id], ['user', boss.id]);
  calls('agent_memory_recall', { query: 'aisle' });
  assert.match(await ask(as(boss.cookie)), /prefers the aisle/, 'in a session of the person');
  assert.match(await ask(caller), /prefers the aisle/);
  assert.doesNotMatch(await ask(as(bo.cookie)), /prefers the aisle/);
  assert.doesNotMatch(await ask({}), /prefers the aisle|Grace Hopper/, 'the admin key is no person');
  model.server.answers = () => ({ text: 'Good day.' });
});

test('keeps memories by person, from all of their conversations', async () => {
  const definition = { ...settings, base_tools: [{ type: 'agent_memory', enabled: true }] };
  const keeper = (await call('POST', '/v1/agents', { name: 'Keeper', definition })).json;
  const begun = async (cookie: string) =>
    (await call('POST', `/v1/conversations?assistant_id=${keeper.id}`, { name: 'x' }, as(cookie))).json.id as string;
  const asked: string[] = [];
  const calls = (name: string, input: object) => {
    model.server.answers = (body) => {
      const text = JSON.stringify(body);
      asked.push(text);
      return text.includes('"role":"tool"') ? { text: 'Done.' } : { tool_calls: [{ id: 'c', name, input }] };
    };
  };
  calls('agent_memory_remember', { text: 'prefers the window seat' });
  assert.equal((await say(await begun(ada.cookie), ada.cookie)).status, 200);
  const { items } = (await call('GET', `/v1/agents/${keeper.id}/memories`)).json;
  assert.deepEqual(
    [items[0].subject, items[0].subject_id, items[0].provenance.actor],
    ['user', ada.id, { kind: 'person', id: ada.id, name: 'Ada Byron' }],
  );
  // A person who may not read others' conversations reads no memories from them, and changes none.
  const ed = await people.aMember('Editor');
  const at = `/v1/agents/${keeper.id}/memories`;
  const listedFor = async (cookie: string, more = '') =>
    (await call('GET', at + more, undefined, as(cookie))).json.items.length;
  assert.deepEqual(await Promise.all([ada, bo, ed, boss].map(({ cookie }) => listedFor(cookie))), [1, 0, 0, 1]);
  assert.equal(await listedFor(bo.cookie, `?search=seat&subject_id=${ada.id}`), 0);
  for (const [method, body] of [['GET'], ['PATCH', { text: 'prefers the aisle' }], ['DELETE']] as const)
    assert.equal((await call(method, `${at}/${items[0].id}`, body, as(ed.cookie))).status, 404, method);
  assert.equal((await call('DELETE', at, undefined, as(ed.cookie))).status, 200);
  assert.equal(await listedFor(ada.cookie), 1);
  calls('agent_memory_recall', { query: 'seat' });
  for (const [person, knows] of [
    [ada, true],
    [bo, false],
  ] as const) {
    asked.length = 0;
    await say(await begun(person.cookie), person.cookie);
    assert.equal(asked.at(-1)?.includes('window seat'), knows);
  }
  model.server.answers = () => ({ text: 'Good day.' });
});

test("keeps one feedback of each person about a message, with the person's name", async () => {
  const made = await begin(ada.cookie);
  await say(made.id, ada.cookie);
  const reply = (await call('GET', `/v1/conversations/${made.id}`)).json.messages.at(-1).id;
  const path = `/v1/conversations/${made.id}/messages/${reply}/feedback`;
  for (const rating of ['up', 'down']) {
    const given = await call('POST', path, { rating }, as(ada.cookie));
    assert.deepEqual(given.json.given_by, { kind: 'person', id: ada.id, name: 'Ada Byron' });
  }
  await call('POST', path, { rating: 'down' }, as(boss.cookie));
  const keysAt = `/v1/admin/groups/${people.home}/api-keys`;
  const own = (
    await call('POST', keysAt, { name: 'Mine', permissions: ['agents_run', 'conversations_read'] }, as(boss.cookie))
  ).json.value;
  await call('POST', path, { rating: 'up' }, { key: own });
  const { items } = (await call('GET', `/v1/conversations/${made.id}/feedback`)).json;
  assert.deepEqual(
    items.map(({ given_by, rating }: { given_by: { id: string }; rating: string }) => [given_by.id, rating]),
    [
      [boss.id, 'up'],
      [ada.id, 'down'],
    ],
  );
});
