import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const { server, name } = await app.provider();
const { call, query } = app;
const mark = 'S3CR3T';
const secrets = {
  actions: [
    {
      name: 'crm',
      url: 'https://crm.example/list',
      headers: { 'X-Key': `a-${mark}` },
      body: { password: `b-${mark}` },
    },
    { name: 'user', url: `https://ada:u-${mark}@crm.example/` },
  ],
  mcp_servers: [{ name: 'm', url: `https://m.example/mcp?sig=s-${mark}`, headers: { Cookie: `c-${mark}` } }],
  tools: [{ type: 'action', name: 'more', url: 'https://x.example/', headers: { a: `t-${mark}` } }],
  databases: [{ name: 'db', dsn_variable: 'DSN', dsn: `postgres://u:d-${mark}@db.example/x` }],
};
const keys = Object.keys(secrets) as (keyof typeof secrets)[];
type Json = Awaited<ReturnType<typeof call>>['json'];
const secretsIn = (settings: Json) => Object.fromEntries(keys.map((key) => [key, settings[key]]));

const { group_id } = (await call('GET', '/v1/admin/me')).json;
const keyWith = async (...permissions: string[]) =>
  (await call('POST', `/v1/admin/groups/${group_id}/api-keys`, { name: 'k', reach: 'workspace', permissions })).json
    .value as string;
const runner = { key: await keyWith('agents_run', 'flows_run') };

async function good(method: string, path: string, body?: object, options = {}): Promise<Json> {
  const answer = await call(method, path, body, options);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
await good('POST', '/v1/variables', { name: 'DSN', inline_value: 'x' });
const agentOf = async (definition: object) =>
  (await good('POST', '/v1/agents', { name: 'A', definition })).id as string;

suite('a mask that is sent back as it was read changes nothing', () => {
  test('keeps the credentials of an agent, in a change, a draft and a version', async () => {
    const id = await agentOf(secrets);
    const shown = secretsIn((await good('GET', `/v1/agents/${id}`, undefined, runner)).definition);
    assert.ok(!JSON.stringify(shown).includes(mark));
    const patched = await good('PATCH', `/v1/agents/${id}`, { definition: { ...shown, top_k: 3 } });
    assert.deepEqual([secretsIn(patched.definition), patched.definition.top_k], [secrets, 3]);
    const draft = await good('PATCH', `/v1/agents/${id}?preview=true`, { definition: shown });
    assert.deepEqual(secretsIn(draft.draft_definition), secrets);
    const version = await good('POST', `/v1/agents/${id}/versions`, { name: 'v', definition: shown });
    assert.deepEqual(secretsIn(version.definition), secrets);
    const [crm, user] = shown.actions;
    const some = [user, { ...crm, body: { ...crm.body, more: 1 } }];
    const mixed = await good('PATCH', `/v1/agents/${id}`, { definition: { actions: some } });
    const [one, two] = secrets.actions;
    assert.deepEqual(mixed.definition.actions, [two, { ...one, body: { ...one?.body, more: 1 } }], 'in another order');
  });

  test('refuses a mask for a credential that goes elsewhere, or that there is none for', async () => {
    const id = await agentOf(secrets);
    const { actions } = (await good('GET', `/v1/agents/${id}`, undefined, runner)).definition;
    for (const changed of [
      [{ ...actions[0], url: 'https://evil.example/list' }, actions[1]],
      [{ ...actions[1], url: 'https://********@evil.example/' }],
      [{ name: 'new', url: 'https://crm.example/list', headers: { 'X-Key': '********' } }],
    ]) {
      const { status, json } = await call('PATCH', `/v1/agents/${id}`, { definition: { actions: changed } });
      assert.equal(status, 422);
      assert.match(JSON.stringify(json.detail), /mask of a credential/);
    }
    assert.deepEqual(secretsIn((await good('GET', `/v1/agents/${id}`)).definition), secrets);
  });

  test('keeps the credentials of an agent whose own export is imported again', async () => {
    const id = await agentOf(secrets);
    const file = await good('GET', `/v1/agents/${id}/export`);
    assert.ok(!JSON.stringify(file).includes(mark));
    const { agent, report } = await good('POST', `/v1/agents/import?agent_id=${id}`, file);
    assert.deepEqual([secretsIn(agent.definition), report.secrets], [secrets, []]);
    const [first, ...rest] = file.agent.definition.actions;
    const changed = { ...file.agent.definition, actions: [{ ...first, url: 'https://evil.example' }, ...rest] };
    const other = await good('POST', `/v1/agents/import?agent_id=${id}`, {
      ...file,
      agent: { ...file.agent, definition: changed },
    });
    assert.ok(!JSON.stringify(other.agent.definition.actions[0]).includes(mark), 'not for another address');
  });

  test('keeps the credentials of a conversation, for every caller', async () => {
    const agent = await agentOf(secrets);
    const made = await good('POST', `/v1/conversations?assistant_id=${agent}`, {}, runner);
    for (const options of [runner, {}]) {
      const settings = { ...secretsIn(made.settings), temperature: 0.1 };
      await good('PATCH', `/v1/conversations/${made.id}`, { settings }, options);
      const [row] = await query('select settings from conversations where id = $1', [made.id]);
      assert.deepEqual(JSON.parse(row.settings), { temperature: 0.1 });
    }
    const [crm] = made.settings.actions;
    const settings = { actions: [{ ...crm, enabled: false }] };
    const changed = await good('PATCH', `/v1/conversations/${made.id}`, { settings });
    assert.deepEqual(changed.settings.actions[0], { ...secrets.actions[0], enabled: false });
  });

  test('keeps the hidden instructions of a protected preview, for every caller', async () => {
    const prompts = {
      persona: 'You are a pirate',
      tone: 'Gruff',
      extra_instructions: 'Say arr',
      prompt_defense: 'Stay a pirate',
    };
    const model = [`${name}/one`];
    const agent = await agentOf({ ...prompts, model, protect_instructions_in_preview: true });
    const spoken = async (id: string) => {
      await app.say(id);
      return JSON.stringify(server.last().body.messages);
    };
    const made = await good('POST', `/v1/conversations?assistant_id=${agent}`, { preview: true, name: 'p' });
    const { settings } = made;
    assert.equal(settings.persona[0].text, '');
    for (const options of [{}, runner]) {
      const shown = Object.fromEntries(Object.keys(prompts).map((key) => [key, settings[key]]));
      const patched = await good('PATCH', `/v1/conversations/${made.id}`, { settings: shown }, options);
      assert.equal(patched.etag, made.etag);
    }
    await good('PATCH', `/v1/conversations/${made.id}`, { settings });
    const again = await good('POST', `/v1/conversations?assistant_id=${agent}`, { preview: true, name: 'q', settings });
    for (const id of [made.id, again.id])
      for (const text of Object.values(prompts)) assert.ok((await spoken(id)).includes(text), text);
    const other = await good('PATCH', `/v1/conversations/${made.id}`, { settings: { persona: 'You are a nun' } });
    assert.equal(other.settings.persona[0].text, '', 'it stays hidden');
    assert.ok((await spoken(made.id)).includes('You are a nun'), 'a persona that was written is a change');
  });

  test('keeps the credentials of a workflow and its versions', async () => {
    const config = { url: 'https://x.example/', method: 'GET', headers: { 'X-Key': `w-${mark}` } };
    const nodes = [{ id: 'n', type: 'no-such', node_config: config }];
    const body = { name: 'W', type: 'flow', definition: { nodes, edges: [] } };
    const { id } = await good('POST', '/v1/workflows?force=true', body);
    const { definition } = await good('GET', `/v1/workflows/${id}`, undefined, runner);
    assert.ok(!JSON.stringify(definition).includes(mark));
    const kept = await good('PATCH', `/v1/workflows/${id}?force=true`, { definition });
    assert.deepEqual(kept.definition.nodes[0].node_config, config);
    const version = await good('POST', `/v1/workflows/${id}/versions?force=true`, { name: 'v', definition });
    assert.deepEqual(version.definition.nodes[0].node_config, config);
    const [node] = definition.nodes;
    const moved = {
      nodes: [{ ...node, node_config: { ...node.node_config, url: 'https://evil.example' } }],
      edges: [],
    };
    assert.equal((await call('PATCH', `/v1/workflows/${id}?force=true`, { definition: moved })).status, 422);
  });
});
