import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-programs-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const mcp_config = join(dir, 'mcp.json');
/** A program that writes a file when it starts, and does not speak the protocol. */
const marking = (mark: string) => ({
  ...{ command: process.execPath, args: ['-e', `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`] },
});
const markOf = (name: string) => join(dir, name);
writeFileSync(
  mcp_config,
  JSON.stringify({
    mcpServers: {
      ...Object.fromEntries(['first', 'second', 'third'].map((name) => [name, marking(markOf(name))])),
      everywhere: { ...marking(markOf('everywhere')), workspaces: ['*'] },
    },
  }),
);
const app = await scriptedApp({ mcp_config });
const { call, query } = app;
const { server: model, name: account } = await app.provider();
const [mine, other] = [await app.workspace(), await app.workspace()];
const at = (id: string) => `/v1/admin/groups/${id}/mcp-programs`;
const naming = (name: string) => ({
  ...{ model: [`${account}/one`], pii_anonimization: [], mcp_servers: [{ name: 'p', url: `operator:${name}` }] },
});
const create = (name: string, key: string) => call('POST', '/v1/agents', { name, definition: naming(name) }, { key });

const refusedAt = ({ status, json }: Awaited<ReturnType<typeof call>>, loc: string) => {
  assert.equal(status, 422, JSON.stringify(json));
  assert.equal(json.detail[0].loc.join('.'), loc);
  assert.match(json.detail[0].msg, /no such program was given to this workspace/);
};

/** Talks to an agent and returns the tools of programs that the model was offered. */
async function talk(agent_id: string, key: string): Promise<string[]> {
  model.reply({ text: 'Hi' });
  const { json } = await call('POST', `/v1/conversations?assistant_id=${agent_id}`, { name: 'talk' }, { key });
  const asked = model.requests.length;
  const said = await call('POST', `/v1/conversations/${json.id}/chat`, { content: 'Hello' }, { key });
  assert.equal(said.status, 200, said.text);
  assert.equal(model.requests.length, asked + 1);
  const tools = model.last().body.tools as { function: { name: string } }[];
  return tools.map(({ function: { name } }) => name).filter((name) => name.startsWith('mcp_'));
}

test('gives no program to a workspace by default, not even to an administrator’s own', async () => {
  for (const key of [mine.key, app.admin]) {
    const listed = await call('GET', '/v1/mcp-programs', undefined, { key });
    assert.deepEqual(listed.json, [{ name: 'everywhere', given_by: 'operator' }]);
    refusedAt(await create('first', key), 'body.definition.mcp_servers.0.url');
  }
  refusedAt(await create('no-such', mine.key), 'body.definition.mcp_servers.0.url');
});

test('lets only org:admin give programs, and only agents_edit list them', async () => {
  const body = { names: ['first'] };
  assert.equal((await call('PUT', at(mine.id), body, { key: mine.key })).status, 403);
  assert.equal((await call('GET', at(mine.id), undefined, { key: mine.key })).status, 403);
  const { key: runner } = await app.workspace([
    'agents_run',
    'conversations_read',
    'settings_write',
    'workspace_write',
  ]);
  assert.equal((await call('PUT', at(mine.id), body, { key: runner })).status, 403);
  assert.equal((await call('GET', '/v1/mcp-programs', undefined, { key: runner })).status, 403);
  const unknown = await call('PUT', at(mine.id), { names: ['first', 'no-such'] });
  assert.deepEqual([unknown.status, unknown.json.detail[0].loc.join('.')], [422, 'body.names.1']);
  assert.deepEqual(
    (await call('GET', at(mine.id))).json.filter(({ given_by }: { given_by: unknown }) => given_by === 'administrator'),
    [],
  );
});

test('starts a program only in the workspaces that have it', async () => {
  const given = await call('PUT', at(mine.id), { names: ['first'] });
  assert.deepEqual(given.json, [
    { name: 'first', given_by: 'administrator' },
    { name: 'second', given_by: null },
    { name: 'third', given_by: null },
    { name: 'everywhere', given_by: 'operator' },
  ]);
  refusedAt(await create('first', other.key), 'body.definition.mcp_servers.0.url');
  refusedAt(await create('second', mine.key), 'body.definition.mcp_servers.0.url');
  const { json: agent, status } = await create('first', mine.key);
  assert.equal(status, 200);
  await talk(agent.id, mine.key);
  await until('the program was started', () => existsSync(markOf('first')) || undefined);
});

test('refuses settings with a program that the workspace does not have, by every operation', async () => {
  const { key } = other;
  const { json: agent } = await call('POST', '/v1/agents', { name: 'plain', definition: {} }, { key });
  const { mcp_servers } = naming('second');
  const definition = { mcp_servers };
  const patched = await call('PATCH', `/v1/agents/${agent.id}`, { definition }, { key });
  refusedAt(patched, 'body.definition.mcp_servers.0.url');
  const draft = await call('PATCH', `/v1/agents/${agent.id}?preview=true`, { definition }, { key });
  refusedAt(draft, 'body.definition.mcp_servers.0.url');
  const version = await call('POST', `/v1/agents/${agent.id}/versions`, { name: 'v', definition }, { key });
  refusedAt(version, 'body.definition.mcp_servers.0.url');
  const conversation = await call('POST', '/v1/conversations', { settings: definition }, { key });
  refusedAt(conversation, 'body.settings.mcp_servers.0.url');
  const { json: made } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, {}, { key });
  const changed = await call('PATCH', `/v1/conversations/${made.id}`, { settings: definition }, { key });
  refusedAt(changed, 'body.settings.mcp_servers.0.url');
  const { json: file } = await call('GET', `/v1/agents/${agent.id}/export`, undefined, { key });
  file.agent.definition = { ...file.agent.definition, mcp_servers };
  refusedAt(await call('POST', '/v1/agents/import', file, { key }), 'body.agent.definition.mcp_servers.0.url');
  assert.equal(existsSync(markOf('second')), false);
});

test('never starts a program that older settings name, with any key', async () => {
  const { json: agent } = await call('POST', '/v1/agents', { name: 'old', definition: {} }, { key: other.key });
  await query('update agent_versions set definition = $1 where agent_id = $2', [
    JSON.stringify(naming('second')),
    agent.id,
  ]);
  const { key: weak } = await call('POST', `/v1/admin/groups/${other.id}/api-keys`, {
    ...{ name: 'weak', permissions: ['agents_run', 'conversations_read'] },
  }).then(({ json }) => ({ key: json.value as string }));
  for (const key of [other.key, weak]) assert.deepEqual(await talk(agent.id, key), ['mcp_p_unavailable']);
  assert.equal(existsSync(markOf('second')), false);
});

test('does not start a program after it was taken away', async () => {
  await call('PUT', at(mine.id), { names: ['third'] });
  const { json: agent } = await create('third', mine.key);
  await call('PUT', at(mine.id), { names: [] });
  assert.deepEqual(await talk(agent.id, mine.key), ['mcp_p_unavailable']);
  assert.equal(existsSync(markOf('third')), false);
});

test('refuses a file of programs with invalid workspaces', async () => {
  const broken = join(dir, 'broken.json');
  writeFileSync(broken, JSON.stringify({ mcpServers: { x: { ...marking(markOf('x')), workspaces: ['all'] } } }));
  await assert.rejects(testApp({ mcp_config: broken }), /ATRIUM_MCP_CONFIG/);
});

test('names the variable when the file of programs is missing or is not JSON', async () => {
  const broken = join(dir, 'not-json.json');
  writeFileSync(broken, '{"mcpServers": ');
  for (const file of [broken, join(dir, 'missing.json')])
    await assert.rejects(testApp({ mcp_config: file }), /ATRIUM_MCP_CONFIG: .*can't be read as JSON/);
});
