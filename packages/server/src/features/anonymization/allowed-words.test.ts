import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';

// The lists of words find these by "my name is" and by titles, so that the tests depend on no model.
const app = await scriptedApp({ tagger: 'words' });
const { server, name } = await app.provider();
const base = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const hello = (who: string) => `My name is ${who}`;

const said = () =>
  (server.last().body.messages as { role: string; content: string }[]).findLast(({ role }) => role === 'user')?.content;
const heardBy = async (settings: object, text: string, query = '') => {
  await app.say(await app.converse(settings, query), text);
  return said();
};
const agentOf = async (definition: object, agent = 'Agent') => {
  const made = await app.call('POST', '/v1/agents', { name: agent, definition: { ...base, ...definition } });
  assert.equal(made.status, 200, made.text);
  return made.json.id as string;
};
const group = async () => `/v1/admin/groups/${(await app.call('GET', '/v1/admin/me')).json.group_id}`;

suite('words that are no personal data', () => {
  test('leaves the words of pii_allow alone and hides all others', async () => {
    const settings = { ...base, pii_allow: ['emma johnson', '*@support.example', 'Lars*'] };
    assert.equal(await heardBy({ ...base }, hello('Emma Johnson')), hello('<PERSON_1>'));
    assert.equal(await heardBy(settings, hello('Emma Johnson')), hello('Emma Johnson'));
    assert.equal(await heardBy(settings, hello('Emma Larsen')), hello('<PERSON_1>'), 'one word of two');
    assert.equal(
      await heardBy(settings, 'Write help@support.example or kim@other.example'),
      'Write help@support.example or <EMAIL_ADDRESS_1>',
    );
    const id = await app.converse(base);
    await app.say(id, hello('Emma Johnson'));
    await app.call('PATCH', `/v1/conversations/${id}`, { settings: { pii_allow: ['Emma Johnson'] } });
    await app.say(id, 'Emma Johnson again');
    assert.equal(said(), 'Emma Johnson again', 'one that has a placeholder is not looked for either');
  });

  test('refuses entries that are no words, on agents, conversations and workspaces', async () => {
    for (const entry of [
      '',
      '*',
      ' * ',
      '^Emma$',
      'a|b',
      '(a+)+',
      '[a-z]',
      'a{2}',
      '\\w+',
      'Emma.*',
      'x'.repeat(201),
      '{{who}}',
    ]) {
      for (const [method, path, body] of [
        ['POST', '/v1/agents', { name: 'A', definition: { pii_allow: [entry] } }],
        ['POST', '/v1/conversations', { settings: { pii_allow: [entry] } }],
        ['PATCH', await group(), { pii_allow: [entry] }],
      ] as const)
        assert.equal((await app.call(method, path, body)).status, 422, `${entry} ${path}`);
    }
  });

  test('a key that may only run agents can remove entries and add none', async () => {
    const agent = await agentOf({ pii_allow: ['Emma Johnson', 'Larsen'] });
    const { json } = await app.call('POST', `${await group()}/api-keys`, { name: 'k', permissions: ['agents_run'] });
    const create = (pii_allow: string[]) =>
      app.call('POST', `/v1/conversations?assistant_id=${agent}`, { settings: { pii_allow } }, { key: json.value });
    assert.equal((await create(['Larsen'])).status, 200);
    assert.equal((await create([])).status, 200);
    const refused = await create(['Larsen', 'Hansen']);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /pii_allow/);
  });

  test('allows the words of the workspace, for those who may change it', async () => {
    const path = await group();
    const { json: key } = await app.call('POST', `${path}/api-keys`, { name: 'k', permissions: ['agents_edit'] });
    const patch = (pii_allow: string[], options = {}) => app.call('PATCH', path, { pii_allow }, options);
    assert.equal((await patch(['Emma Johnson'], { key: key.value })).status, 403);
    const { json } = await patch(['Emma Johnson']);
    assert.deepEqual(json.pii_allow, ['Emma Johnson']);
    assert.deepEqual((await app.call('GET', path)).json.pii_allow, ['Emma Johnson']);
    assert.equal(await heardBy(base, hello('Emma Johnson')), hello('Emma Johnson'));
    const { json: named } = await app.call('PATCH', path, { name: 'Default' });
    assert.deepEqual(named.pii_allow, ['Emma Johnson'], 'a change of the name keeps it');
    await patch([]);
    assert.equal(await heardBy(base, hello('Emma Johnson')), hello('<PERSON_1>'));
    const other = await app.workspace();
    assert.deepEqual((await app.call('GET', `/v1/admin/groups/${other.id}`)).json.pii_allow, []);
  });

  test('allows names of agents, tables, knowledge bases, workflows and tools, and glossary terms, but no words of the persona', async () => {
    const people = {
      agent: 'Mary Stone',
      table: 'Nora Fields',
      base: 'Peter Marsh',
      term: 'Oscar Woods',
      action: 'Rita Moss',
      server: 'Sarah Hill',
      tool: 'Martin Brooks',
      workflow: 'Laura Stevens',
    };
    for (const who of Object.values(people)) assert.equal(await heardBy(base, hello(who)), hello('<PERSON_1>'), who);
    await agentOf({}, people.agent);
    await app.call('POST', '/v1/tables', { name: people.table, columns: [] });
    await app.call('POST', '/v1/knowledge-bases', { name: people.base });
    await app.call('POST', '/v1/workflows', { name: people.workflow, definition: { nodes: [], edges: [] } });
    const settings = {
      ...base,
      persona: 'You work for Emma Johnson',
      glossary: [
        { term: people.term, definition: 'Our release' },
        { term: '{{who}}', definition: 'The user' },
      ],
      actions: [{ name: people.action, url: 'https://a.example' }],
      mcp_servers: [{ name: people.server, url: 'https://m.example/mcp', enabled: false }],
      tools: [{ type: 'action', name: people.tool, url: 'https://b.example' }],
    };
    for (const who of Object.values(people)) assert.equal(await heardBy(settings, hello(who)), hello(who), who);
    assert.equal(await heardBy(settings, hello('Emma Johnson')), hello('<PERSON_1>'));
    const variables = { who: 'Emma Johnson' };
    const { json } = await app.call('POST', '/v1/conversations', { name: 'test', settings, variables });
    await app.say(json.id, hello('Emma Johnson'));
    assert.equal(said(), hello('<PERSON_1>'), 'a value of the caller allows nothing');
  });

  test('a name found once is found again in running text, and never inside other words, paths, keys or code', async () => {
    const id = await app.converse(base);
    await app.say(id, hello('Quuxton'));
    const apart = 'Quuxtonville, quuxton_id, /home/Quuxton/a, lib.Quuxton, "Quuxton": 1, `run Quuxton`';
    await app.say(id, `Thank Quuxton for ${apart}, says Quuxton.`);
    assert.equal(said(), `Thank <PERSON_1> for ${apart}, says <PERSON_1>.`);
  });

  test('a co-worker allows no more than the conversation that asks it', async () => {
    const glossary = [{ term: 'Emma Johnson', definition: 'a release' }];
    const helper = await agentOf({ pii_allow: ['Lars Hansen', 'Kim Larsen'], glossary }, 'Helper');
    const boss = await agentOf({ coworkers: [helper], pii_allow: ['Lars Hansen'] }, 'Boss');
    const asked = (who: string) => {
      server.reply({ tool_calls: [{ name: 'coworker_Helper', input: { message: hello(who) } }] });
      server.reply({ text: 'Yes' }, { text: 'Yes' });
      const from = server.requests.length;
      return heardBy({}, 'Ask', `?assistant_id=${boss}`).then(
        () => (server.requests[from + 1]?.body.messages as { content: string }[] | undefined)?.at(-1)?.content,
      );
    };
    assert.equal(await asked('Lars Hansen'), hello('Lars Hansen'));
    for (const who of ['Kim Larsen', 'Emma Johnson']) assert.equal(await asked(who), hello('<PERSON_1>'), who);
    assert.equal(await heardBy({}, hello('Kim Larsen'), `?assistant_id=${helper}`), hello('Kim Larsen'));
  });

  test('tries a list at /v1/safety/pii', async () => {
    const body = { text: hello('Emma Johnson'), pii_allow: ['Emma Johnson'] };
    assert.deepEqual((await app.call('POST', '/v1/safety/pii', body)).json.spans, []);
    assert.equal((await app.call('POST', '/v1/safety/pii', { ...body, pii_allow: ['Emma'] })).json.spans.length, 1);
  });
});
