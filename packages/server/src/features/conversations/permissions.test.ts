import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const { call, workspace } = app;
const { id: group, key: admin } = await workspace();

async function keyWith(...permissions: string[]): Promise<string> {
  const made = await call('POST', `/v1/admin/groups/${group}/api-keys`, {
    name: 'weak',
    reach: 'workspace',
    permissions,
  });
  return made.json.value;
}
const weak = await keyWith('agents_run');
const editor = await keyWith('agents_run', 'agents_edit');

type Fields = Record<string, unknown>;
const make = async (path: string, body: Fields) => {
  const answer = await call('POST', path, body, { key: admin });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const agent = (definition: Fields = {}) => make('/v1/agents', { name: 'A', definition });
const start = (agent_id: string, body: Fields = {}, key = weak) =>
  call('POST', `/v1/conversations?assistant_id=${agent_id}`, body, { key });
const patch = (id: string, body: Fields, key = weak) => call('PATCH', `/v1/conversations/${id}`, body, { key });
const publish = async (id: string, definition: Fields) =>
  (await call('PATCH', `/v1/agents/${id}`, { definition }, { key: admin })).json.version_id as string;

function refused({ status, json, text }: Awaited<ReturnType<typeof call>>, ...needs: string[]): void {
  assert.deepEqual([status, json.code], [403, 'setting_forbidden'], text);
  const detail = json.detail.replaceAll(/ \(allowed without it: [^)]+\)/g, '');
  assert.equal(detail, `Not allowed with these permissions: ${needs.join('; ')}`);
}

test('a refusal names every key and its missing permission, and stores nothing', async () => {
  const { id } = await agent();
  const { json: looser } = await start(id, { settings: { pii_anonimization: [] } });
  assert.match(looser.detail, /pii_anonimization needs agents_edit \(allowed without it: more entities\)$/);
  const base = await make('/v1/knowledge-bases', { name: 'K' });
  const settings = { temperature: 1, persona: 'Other', knowledge_bases: [base.id] };
  refused(
    await start(id, { settings }),
    'persona needs agents_edit',
    'knowledge_bases needs agents_edit and kbs_query',
  );
  refused(await start(id, { settings }, editor), 'knowledge_bases needs kbs_query');
  const { json } = await call('GET', `/v1/conversations?assistant_id=${id}&include_empty=true`, undefined, {
    key: admin,
  });
  assert.equal(json.total, 0);
});

test('code can not be switched on, and an approval can not be switched off, by a key that only runs agents', async () => {
  const open = (await start((await agent()).id)).json;
  for (const settings of [
    { base_tools: [{ type: 'code_execution', enabled: true }] },
    { tools: [{ type: 'code_execution' }] },
    { tools: [{ type: 'sandbox' }] },
  ])
    assert.equal((await patch(open.id, { settings })).status, 403);
  const asking = await agent({ base_tools: [{ type: 'code_execution', enabled: true, requires_approval: true }] });
  const { id } = (await start(asking.id)).json;
  for (const settings of [
    { base_tools: [{ type: 'code_execution', requires_approval: false }] },
    { tools: [{ type: 'code_execution', requires_approval: false }] },
  ])
    refused(await patch(id, { settings }), ...refusedKeys(settings));
});
const refusedKeys = (settings: Fields) => [
  ...('tools' in settings ? ['tools needs agents_edit and sandboxes_run'] : []),
  'base_tools needs agents_edit',
];

test('an editor without its permission gives an agent no knowledge base, file, variable, table or workflow', async () => {
  const base = await make('/v1/knowledge-bases', { name: 'K' });
  const variable = await make('/v1/variables', { name: 'city', inline_value: 'Oslo' });
  const table = await make('/v1/tables', { name: 'T', columns: [{ name: 'a', type: 'text' }] });
  for (const [definition, permission] of [
    [{ knowledge_bases: [base.id] }, 'kbs_query'],
    [{ tools: [{ type: 'kb_selector' }] }, 'kbs_query'],
    [{ tools: [{ type: 'kb_qa', kb_id: base.id }] }, 'kbs_query'],
    [{ variables: [variable.id] }, 'variables_read'],
    [{ tables: [table.id] }, 'tables_read'],
    [{ tables: [{ id: table.id, access: 'write' }] }, 'tables_edit'],
    [{ agent_files: [table.id] }, 'files_read'],
    [{ workflows: [table.id] }, 'flows_run'],
    [{ databases: [{ name: 'd', dsn_variable: 'DSN' }] }, 'variables_read'],
    [{ base_tools: [{ type: 'code_execution', enabled: true }] }, 'sandboxes_run'],
  ] as const) {
    const [name] = Object.keys(definition);
    refused(
      await call('POST', '/v1/agents', { name: 'A', definition }, { key: editor }),
      `${name} needs ${permission}`,
    );
    const { id } = await agent();
    for (const query of ['', '?preview=true'])
      refused(
        await call('PATCH', `/v1/agents/${id}${query}`, { definition }, { key: editor }),
        `${name} needs ${permission}`,
      );
    const version = { definition, publish: true };
    refused(await call('POST', `/v1/agents/${id}/versions`, version, { key: editor }), `${name} needs ${permission}`);
  }
  // Grants of an administrator stay when an editor sends them back with another text.
  const definition = { knowledge_bases: [base.id], variables: [variable.id] };
  const { id } = await agent(definition);
  const kept = await call(
    'PATCH',
    `/v1/agents/${id}`,
    { definition: { ...definition, persona: 'New' } },
    { key: editor },
  );
  assert.equal(kept.status, 200, kept.text);
});

test('an editor without its permission imports and publishes no version that has more than what is published', async () => {
  const base = await make('/v1/knowledge-bases', { name: 'Handbook' });
  const { id, version_id } = await agent({ knowledge_bases: [base.id] });
  await publish(id, { knowledge_bases: [] });
  const published = await call('POST', `/v1/agents/${id}/versions/${version_id}/publish`, {}, { key: editor });
  refused(published, 'knowledge_bases needs kbs_query');
  const { json: file } = await call(
    'GET',
    `/v1/agents/${(await agent({ tools: [{ type: 'kb_selector' }] })).id}/export`,
    undefined,
    { key: admin },
  );
  refused(await call('POST', '/v1/agents/import', file, { key: editor }), 'tools needs kbs_query');
});

test('drafts and versions that are not published are for those who edit agents', async () => {
  const { id, version_id: old } = await agent({ jailbreak: false });
  const published = await publish(id, { jailbreak: true });
  refused(await start(id, { preview: true }), 'preview needs agents_edit');
  refused(await start(id, { assistant_version_id: old }), 'assistant_version_id needs agents_edit');
  assert.equal((await start(id, { assistant_version_id: published })).status, 200);
  assert.equal((await start(id, { assistant_version_id: old }, editor)).status, 200);
  const { json: preview } = await start(id, { preview: true }, editor);
  const said = await call('POST', `/v1/conversations/${preview.id}`, { content: 'Hello' }, { key: weak });
  refused(said, 'preview needs agents_edit');
  const { json: own } = await start(id);
  refused(await patch(own.id, { assistant_version_id: old }), 'assistant_version_id needs agents_edit');
});

test('moving a conversation to the published version keeps stricter settings and drops looser ones', async () => {
  const { id } = await agent({ max_tokens: 500, usage_limits_max_messages: 50 });
  const { json } = await start(id, { settings: { max_tokens: 400, usage_limits_max_messages: 5, temperature: 0.1 } });
  const published = await publish(id, { max_tokens: 300 });
  const moved = await patch(json.id, { assistant_version_id: published });
  assert.equal(moved.status, 200, moved.text);
  const { max_tokens, usage_limits_max_messages, temperature } = moved.json.settings;
  assert.deepEqual([max_tokens, usage_limits_max_messages, temperature], [300, 5, 0.1]);
});

test('a message chooses among the models of its agent, and others only for those who edit agents', async () => {
  const { name } = await app.provider({ text: 'One', deltas: 1 }, { text: 'Two', deltas: 1 });
  const models = [`${name}/one`, `${name}/two`];
  const { id } = (await start((await agent({ model: [models[0], 'openai/other'] })).id)).json;
  const say = (model_selection: (string | undefined)[], key = weak) =>
    call('POST', `/v1/conversations/${id}`, { content: 'Hello', model_selection }, { key });
  refused(await say([models[1]]), 'model_selection needs agents_edit');
  assert.equal((await say([models[0]])).json.messages.length, 2);
  assert.equal((await say([models[1]], editor)).json.messages.length, 4);
});

test('a message names no workflow that the agent does not have, unless its sender may give it', async () => {
  const { id } = (await start((await agent()).id)).json;
  const body = { content: 'Hello', workflow_id: group };
  refused(
    await call('POST', `/v1/conversations/${id}`, body, { key: weak }),
    'workflow_id needs agents_edit and flows_run',
  );
});

test('values of a conversation fill the templates of a prompt, and replace no variable of the agent', async () => {
  const { id: variable } = await make('/v1/variables', { name: 'discount', inline_value: '5 %' });
  const { id } = await agent({
    variables: [variable],
    variables_enabled: true,
    persona: '{{discount}} for {{customer}}',
  });
  assert.equal((await start(id, { variables: { customer: 'Kim' } })).status, 200);
  refused(
    await start(id, { variables: { discount: '90 %', customer: 'Kim' } }),
    'variables.discount needs agents_edit',
  );
  assert.equal((await start(id, { variables: { discount: '90 %' } }, editor)).status, 200);
});

test('a lock that is set on the agent later binds conversations that exist', async () => {
  const { id } = await agent({ persona: 'Agent', pii_anonimization: ['PERSON'], toxicity: 'Low' });
  const settings = { persona: 'Own', pii_anonimization: [], toxicity: 'Off', profanity: 'High' };
  const { json: loose } = await start(id, { settings }, admin);
  assert.deepEqual(loose.settings.pii_anonimization, []);
  await publish(id, { pii_lock: true, guardrail_lock: true, prompt_lock: true, pii_anonimization: ['PERSON', 'URL'] });
  const { json } = await call('GET', `/v1/conversations/${loose.id}`, undefined, { key: admin });
  const entities = json.settings.pii_anonimization.map(({ value }: { value: string }) => value);
  assert.deepEqual(entities.toSorted(), ['PERSON', 'URL']);
  assert.deepEqual([json.settings.toxicity.value, json.settings.profanity.value], ['Low', 'High']);
  assert.equal(json.settings.persona[0].text, 'Agent');
  assert.equal(json.settings.pii_lock, true);
  const again = await patch(loose.id, { settings: { pii_anonimization: [] } }, admin);
  assert.deepEqual([again.status, again.json.detail], [403, 'These settings are locked: pii_anonimization']);
  assert.equal((await patch(loose.id, { settings: { temperature: 0.3 } })).status, 200);
  const { json: listed } = await call('GET', `/v1/conversations?assistant_id=${id}&include_empty=true`, undefined, {
    key: admin,
  });
  assert.equal(listed.items[0].settings.persona[0].text, 'Agent');
});

test('a conversation with a lock set later hides from the provider what its agent hides', async () => {
  const { server, name } = await app.provider({ text: 'Yes', deltas: 1 });
  const model = [`${name}/one`];
  const { id } = await agent({ model, agent_title_mode: 'off', pii_anonimization: ['EMAIL_ADDRESS'] });
  const { json } = await start(id, { settings: { pii_anonimization: [] } }, admin);
  await publish(id, { pii_lock: true });
  await call('POST', `/v1/conversations/${json.id}`, { content: 'Write to kim@corp.example' }, { key: weak });
  assert.equal(server.requests.length, 1);
  assert.doesNotMatch(JSON.stringify(server.requests), /kim@corp/);
});

test('requires integrations_edit to give an agent an MCP server with a stored login', async () => {
  const url = 'https://mcp.example.com/mcp';
  const login = {
    grant_type: 'client_credentials',
    token_url: 'https://login.example.com/token',
    client_id: 'a',
    client_secret: 'b',
  };
  await make('/v1/mcp-servers', { url, ...login });
  const definition = { mcp_servers: [{ name: 'm', url }] };
  refused(
    await call('POST', '/v1/agents', { name: 'A', definition }, { key: editor }),
    'mcp_servers needs integrations_edit',
  );
  const other = { mcp_servers: [{ name: 'm', url: `${url}/other` }] };
  assert.equal((await call('POST', '/v1/agents', { name: 'A', definition: other }, { key: editor })).status, 200);
});
