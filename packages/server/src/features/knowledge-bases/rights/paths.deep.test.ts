import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { loopback } from '../../../drivers/web/testing.ts';
import { as, makePeopleIn } from '../../people/testing.ts';
import { aNode, anEdge } from '../../workflows/testing.ts';
import { knowledgeApp } from '../testing.ts';

const kb = await knowledgeApp({ web_allow: ['127.0.0.1'] });
const { call, at } = kb;
const people = await makePeopleIn(kb);
const [ada, bo] = [await people.aMember('Editor'), await people.aMember('Editor')];
const reader = await people.aMember('Reader');
type Person = typeof ada;
const onlyAda = [{ kind: 'person', id: ada.id }];
const hide = (base: string, document: string, visible_to: unknown = onlyAda) =>
  call('PATCH', `${at}/${base}/document/${document}`, { visible_to });
const question = 'How high is the salary of the director?';

const base = await kb.base({ auto_summary: false });
await kb.fill(base, {
  'open.txt': 'The salary of a gardener is 30 coins.',
  'hidden.txt': 'The salary of the director is 900 coins.',
});
const hidden = (await kb.documents(base)).find((document) => document.name === 'hidden.txt');
const titles = (answer: { json: { document_source: { name: string } }[] }) =>
  answer.json.map((hit) => hit.document_source.name).sort();
/** Waits until the index has followed all changes of rights: after two at once, passages move twice. */
const followed = (id: string) =>
  kb.until(
    () => kb.query('select 1 from kb_index_changes where kb_id = $1', [id]),
    (left) => left.length === 0,
  );
/** The document is for Ada again, and the index has followed. */
const hideForAda = async () => {
  await hide(base, hidden.id);
  await followed(base);
  await kb.until(
    async () => titles(await call('POST', `${at}/${base}/search`, { query: 'salary' }, as(ada.cookie))),
    (found) => found.length === 2,
  );
};
await hideForAda();

const { json: agent } = await call('POST', '/v1/agents', { name: 'Clerk', definition: { knowledge_bases: [base] } });
const converse = async (who: Person) => {
  const made = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Pay' }, as(who.cookie));
  assert.equal(made.status, 200, made.text);
  return made.json.id as string;
};
const say = async (who: Person, conversation: string, content = question) => {
  const answer = await call('POST', `/v1/conversations/${conversation}`, { content }, as(who.cookie));
  assert.equal(answer.status, 200, answer.text);
  const { message_parts: parts } = answer.json.messages.at(-1);
  // The built-in model quotes older messages of the conversation too; what it was given now is in the results of its tools.
  return JSON.stringify(parts.filter(({ type }: { type: string }) => type === 'function'));
};

test('an agent finds for each person what that person may see at the time', async () => {
  const conversation = await converse(ada);
  assert.match(await say(ada, conversation), /900 coins/);
  assert.doesNotMatch(await say(bo, await converse(bo)), /900|hidden/);
  const { json } = await call('GET', `/v1/conversations/${conversation}`, undefined, as(ada.cookie));
  assert.match(JSON.stringify(json.messages), /900 coins/, 'stored answers stay');
  await hide(base, hidden.id, [{ kind: 'person', id: bo.id }]);
  assert.doesNotMatch(await say(ada, conversation), /900 coins/, 'a new turn searches by the rights of now');
  await followed(base);
  await hideForAda();
});

test('a document whose rights change several times at once is found by those who may see it in the end', async () => {
  const onlyBo = [{ kind: 'person', id: bo.id }];
  const all = [null, onlyAda, onlyBo, [...onlyAda, ...onlyBo]];
  for (let round = 0; round < 8; round++) {
    for (let step = 0; step <= round % 5; step++) await hide(base, hidden.id, all[(round * 3 + step) % 4]);
    // Without waiting for the index in between.
    await hide(base, hidden.id);
    await kb.until(
      async () => titles(await call('POST', `${at}/${base}/search`, { query: 'salary' }, as(ada.cookie))),
      (found) => found.length === 2,
    );
  }
  await followed(base);
});

test('chat completions and workflows search as the person who asks, also through a child run', async () => {
  const complete = async (who: Person) =>
    (
      await call(
        'POST',
        '/v1/chat/completions',
        { model: `agent:${agent.id}`, messages: [{ role: 'user', content: question }] },
        as(who.cookie),
      )
    ).text;
  assert.match(await complete(ada), /900 coins/);
  assert.doesNotMatch(await complete(bo), /900 coins/);

  const flow = async (type: string, config: Record<string, unknown>, into: string, from: string) => {
    const nodes = [
      aNode('in', 'InputNode', { label: 'Value', type: 'Custom' }),
      aNode('it', type, config),
      aNode('out', 'OutputNode', { label: 'Result' }),
    ];
    const edges = [`in.output -> it.${into}`, `it.${from} -> out.input`].map(anEdge);
    const made = await call('POST', '/v1/workflows', { name: type, type: 'flow', definition: { nodes, edges } });
    assert.equal(made.status, 200, made.text);
    return async (who: Person) =>
      (await call('POST', `/v1/workflows/${made.json.id}/runs/sync`, { input: { Value: question } }, as(who.cookie)))
        .text;
  };
  for (const run of [
    await flow('KnowledgeSearchNode', { kb_id: base }, 'query', 'text'),
    await flow('AgentCallNode', { agent_id: agent.id }, 'message', 'output'),
  ]) {
    assert.match(await run(ada), /900 coins/);
    assert.doesNotMatch(await run(bo), /900 coins/);
  }
});

test('hides the outputs of a run, and answers of a shared conversation, made from documents that the reader may not read', async () => {
  const nodes = [
    aNode('in', 'InputNode', { label: 'Value', type: 'Custom' }),
    aNode('it', 'KnowledgeSearchNode', { kb_id: base }),
    aNode('out', 'OutputNode', { label: 'Result' }),
  ];
  const edges = ['in.output -> it.query', 'it.text -> out.input'].map(anEdge);
  const flow = (await call('POST', '/v1/workflows', { name: 'Find', definition: { nodes, edges } })).json;
  const sent = { input: { Value: question } };
  const run = (await call('POST', `/v1/workflows/${flow.id}/runs/sync`, sent, as(ada.cookie))).json;
  assert.match(JSON.stringify(run.output), /900 coins/);
  const keysAt = `/v1/admin/groups/${people.home}/api-keys`;
  const permissions = ['flows_run', 'runs_read_all', 'agents_run', 'conversations_read'];
  const { value: key } = (await call('POST', keysAt, { name: 'inspector', permissions })).json;
  const seen = await call('GET', `/v1/runs/${run.id}`, undefined, { key });
  assert.deepEqual([seen.status, seen.json.hidden, seen.json.output], [200, 'documents', null]);
  assert.equal((await call('GET', `/v1/runs/${run.id}/events`, undefined, { key })).status, 403);
  const trace = await call('GET', `/v1/runs/${run.id}/trace`, undefined, { key });
  assert.equal(trace.json.hidden, 'documents');
  for (const { text } of [seen, trace, await call('GET', '/v1/runs', undefined, { key })])
    assert.doesNotMatch(text, /900 coins/);
  assert.match((await call('GET', `/v1/runs/${run.id}`, undefined, as(ada.cookie))).text, /900 coins/);

  const conversation = await converse(ada);
  await say(ada, conversation);
  const at = `/v1/conversations/${conversation}`;
  assert.equal(
    (await call('POST', `${at}/shares`, { person_id: reader.id, access: 'read' }, as(ada.cookie))).status,
    200,
  );
  assert.match((await call('GET', at, undefined, as(ada.cookie))).text, /900 coins/);
  assert.equal((await call('GET', `${at}/shares`, undefined, as(ada.cookie))).json.restricted_answers, 1);
  for (const path of [at, `${at}/messages`, `${at}/messages?format=ui`, `${at}/export?format=json`])
    for (const options of [as(reader.cookie), { key }]) {
      const { status, text } = await call('GET', path, undefined, options);
      assert.equal(status, 200, path);
      assert.doesNotMatch(text, /900 coins/, path);
      assert.match(text, /documents that you may not read/, path);
    }
});

test('MCP clients and evaluations search as the person who asks, in a session and by a key of theirs', async () => {
  const [cy, di] = [await people.aMember('Admin'), await people.aMember('Admin')];
  await hide(base, hidden.id, [{ kind: 'person', id: cy.id }]);
  await followed(base);
  const search = async () => titles(await call('POST', `${at}/${base}/search`, { query: 'salary' }, as(cy.cookie)));
  await kb.until(search, (found) => found.length === 2);
  const callersOf = async ({ cookie }: Person) => {
    const made = await call('POST', `/v1/admin/groups/${people.home}/api-keys`, { name: 'own' }, as(cookie));
    assert.equal(made.json.owner.kind, 'person', made.text);
    return [as(cookie), { key: made.json.value as string, headers: {} }];
  };
  type Caller = Awaited<ReturnType<typeof callersOf>>[number];

  const rpc = async ({ key, headers }: Caller, method: string, params: object) => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const more = { accept: 'application/json, text/event-stream' };
    return (await call('POST', '/mcp', body, { key, headers: { ...headers, ...more } })).text;
  };
  const byMcp = async (caller: Caller) => {
    const name = /"name":"([^"]*clerk[^"]*)"/i.exec(await rpc(caller, 'tools/list', {}))?.[1];
    assert.ok(name, 'the agent is a tool');
    return rpc(caller, 'tools/call', { name, arguments: { message: question } });
  };
  const cases = [{ messages: [question] }];
  const { json: set } = await call('POST', '/v1/evaluations', { name: 'Pay', agent_id: agent.id, cases });
  const byEvaluation = async (caller: Caller) => {
    const runsAt = `/v1/evaluations/${set.id}/runs`;
    const started = await call('POST', runsAt, {}, caller);
    assert.equal(started.status, 200, started.text);
    const read = async () => (await call('GET', `${runsAt}/${started.json.id}`)).json;
    const { results } = await kb.until(read, ({ status }) => status === 'completed');
    assert.equal(results[0].error, null);
    return JSON.stringify(results);
  };
  for (const ask of [byMcp, byEvaluation])
    for (const [who, sees] of [
      [cy, true],
      [di, false],
    ] as const)
      for (const caller of await callersOf(who)) {
        const answer = await ask(caller);
        assert.equal(/900 coins/.test(answer), sees, `${ask.name}, ${caller.key ? 'key' : 'session'}: ${answer}`);
        assert.match(answer, sees ? /coins/ : /found nothing/);
      }
  await hideForAda();
});

test('the visitor of a shared conversation finds only what everybody sees', async () => {
  const conversation = await converse(ada);
  const shared = await call('POST', `/v1/conversations/${conversation}/share`, undefined, as(ada.cookie));
  const token = shared.json.public_access_token;
  assert.ok(token, shared.text);
  const answer = await call('POST', `/v1/public/conversations/${token}/stream`, { content: question }, { key: null });
  assert.doesNotMatch(answer.text, /900 coins/);
  const { json } = await call('GET', `/v1/conversations/${conversation}`, undefined, as(ada.cookie));
  assert.doesNotMatch(JSON.stringify(json.messages), /900 coins/);
});

test('a group of people sees what is for the group, from the moment a person joins it', async () => {
  const { json: group } = await call('POST', '/v1/admin/user-groups', { name: 'Board' });
  assert.equal((await hide(base, hidden.id, [{ kind: 'user_group', id: group.id }])).status, 200);
  await followed(base);
  const found = async () => titles(await call('POST', `${at}/${base}/search`, { query: 'salary' }, as(reader.cookie)));
  assert.deepEqual(await found(), ['open.txt']);
  const member = `/v1/admin/user-groups/${group.id}/members/${reader.id}`;
  assert.equal((await call('PUT', member)).status, 200);
  const { headers } = await people.signIn(reader.email);
  const cookie = String(headers['set-cookie']).split(';')[0] as string;
  await kb.until(
    async () => titles(await call('POST', `${at}/${base}/search`, { query: 'salary' }, as(cookie))),
    (names) => names.length === 2,
  );
  assert.equal((await call('DELETE', member)).status, 200);
  const { headers: after } = await people.signIn(reader.email);
  reader.cookie = String(after['set-cookie']).split(';')[0] as string;
  assert.deepEqual(await found(), ['open.txt']);
  await hideForAda();
});

test('a site with visible_to gives it to its documents, and hides itself, its pages and its runs', async () => {
  const page = (title: string, ...links: string[]) =>
    `<title>${title}</title><p>${title} quince</p>${links.map((to) => `<a href="${to}">x</a>`).join('')}`;
  const site = await loopback((request, response) => {
    const pages: Record<string, string> = { '/': page('Home', '/two'), '/two': page('Two') };
    const body = pages[request.url ?? ''];
    response.writeHead(body ? 200 : 404, { 'content-type': 'text/html' }).end(body);
  });
  const id = await kb.base({ auto_summary: false });
  const made = await call('POST', `${at}/${id}/sites`, { url: `${site.url}/`, visible_to: onlyAda });
  assert.deepEqual(made.json.visible_to, onlyAda);
  const path = `${at}/${id}/sites/${made.json.id}`;
  await kb.until(
    async () => (await call('GET', path)).json.status,
    (status) => status === 'idle',
  );
  const documents = await kb.trained(id);
  assert.deepEqual(
    documents.map(({ visible_to }) => visible_to),
    [onlyAda, onlyAda],
  );
  const asReader = (url: string) => call('GET', url, undefined, as(reader.cookie));
  assert.equal((await asReader(path)).status, 404);
  assert.equal((await asReader(`${path}/pages`)).status, 404);
  assert.equal((await asReader(`${at}/${id}/sites`)).json.total, 0);
  assert.deepEqual((await asReader(`${at}/${id}/runs`)).json, []);
  assert.equal((await asReader(`${at}/${id}`)).json.status, 'created', 'nothing to see');
  const found = async (who: Person) =>
    (await call('POST', `${at}/${id}/search`, { query: 'quince' }, as(who.cookie))).json.length;
  assert.deepEqual([await found(ada), await found(reader)], [2, 0]);

  assert.deepEqual((await call('PATCH', path, { visible_to: [{ kind: 'everybody' }] })).json.visible_to, null);
  await kb.until(
    () => found(reader),
    (hits) => hits === 2,
  );
  const [first] = documents;
  await hide(id, first.id);
  const { json: shown } = await asReader(path);
  assert.deepEqual([shown.documents, Object.values(shown.pages)], [1, [1]]);
  assert.equal((await asReader(`${path}/pages`)).json.total, 1);
});

test('rows of a hidden document are in no table, and its name is in no event and no table of the platform', async () => {
  const id = await kb.base({ auto_summary: false, tabular_ingest_all_rows: false });
  await kb.fill(id, { 'prices.csv': 'id,price\n1,10\n2,20\n' });
  const [document] = await kb.documents(id);
  const [table] = document.table_ids;
  assert.equal((await call('GET', `/v1/tables/${table}`)).status, 200);
  const platform = async () =>
    JSON.stringify((await call('POST', '/v1/tables/query', { sql: 'select name from documents' })).json);
  assert.match(await platform(), /prices\.csv/);
  assert.deepEqual((await hide(id, document.id)).json.table_ids, []);
  await kb.until(
    async () => (await call('GET', `/v1/tables/${table}`)).status,
    (status) => status === 404,
  );
  assert.doesNotMatch(await platform(), /prices\.csv/);
  const bodies: string[] = [];
  const receiver = await loopback(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(200).end();
  });
  const subscribed = await call('POST', '/v1/webhooks', { url: receiver.url, events: ['document.trained'] });
  assert.equal(subscribed.status, 200, subscribed.text);
  assert.equal((await call('PATCH', `${at}/${id}/document/${document.id}`, { status: 'training' })).status, 200);
  const [again] = await kb.trained(id);
  assert.deepEqual(again.table_ids, []);
  await kb.until(
    async () => bodies.length,
    (count) => count > 0,
  );
  assert.match(bodies.join(), new RegExp(document.id));
  assert.doesNotMatch(bodies.join(), /prices\.csv/);
});

test('evaluation and deletion reach only documents that the caller sees', async () => {
  const permissions = { kbs_query: true, kbs_advanced: true, kbs_delete: true };
  const { json: role } = await call('POST', '/v1/admin/roles', {
    name: 'Tuner',
    scope: 'workspace',
    group_id: people.home,
    permissions,
  });
  const { token } = await people.invite(role.id);
  const cookie = String((await people.accept(token)).headers['set-cookie']).split(';')[0] as string;
  const id = await kb.base({ auto_summary: false });
  await kb.upload(id, { 'open.txt': 'medlar one' }, '/x');
  await kb.fill(id, { 'hidden.txt': 'medlar two' }, '/x');
  const own = (await kb.documents(id)).find((document) => document.name === 'hidden.txt');
  await hide(id, own.id);
  const evaluate = (document_ids: string[]) =>
    call('POST', `${at}/${id}/evaluate`, { questions: [{ query: 'medlar', document_ids }] }, as(cookie));
  assert.equal((await evaluate([own.id])).status, 422);
  assert.equal((await call('DELETE', `${at}/${id}/document/${own.id}`, undefined, as(cookie))).status, 404);
  const reindexed = await call('POST', `${at}/${id}/reindex`, undefined, as(cookie));
  assert.equal(reindexed.json.length, 1, reindexed.text);
  await call('POST', `${at}/${id}/document`, { name: 'x', status: 'folder' });
  const folder = (await kb.documents(id, 'folder'))[0];
  assert.equal((await call('DELETE', `${at}/${id}/document/${folder.id}`, undefined, as(cookie))).status, 200);
  assert.deepEqual(
    (await kb.documents(id)).map(({ name }) => name),
    ['hidden.txt'],
  );
});
