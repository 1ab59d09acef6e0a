import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, suite, test } from 'node:test';
import { isHostListed, whenFewerHosts } from '@atrium/contract/settings/strictness/host-patterns.ts';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { scriptedMcp } from '../mcp/testing.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const got: string[] = [];
const moved = (request: IncomingMessage, response: ServerResponse) => {
  got.push(request.url ?? '');
  if (request.url === '/moved') return response.writeHead(302, { location: `${evil}/in` }).end();
  return response.writeHead(200, { 'content-type': 'text/plain' }).end('words');
};
async function listening(take: typeof moved): Promise<string> {
  const server = createServer(take);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const evilGot: string[] = [];
const evilHost = await listening((request, response) => {
  evilGot.push(request.url ?? '');
  return response.writeHead(200, { 'content-type': 'text/plain' }).end('words');
});
const evil = `http://${evilHost}`;
const deskHost = await listening(moved);
const desk = `http://${deskHost}`;

const app = await scriptedApp({ web_allow: ['127.0.0.1'], search: { service: 'searxng', url: evil, api_key: '' } });
const base = { pii_anonimization: [], max_retries_per_model: 0 };
const only = { allowed_hosts: [deskHost] };
const action = (url: string) => ({ actions: [{ name: 'post', url }] });
const web = { base_tools: [{ type: 'web_research', enabled: true }] };
let count = 0;

async function made(path: string, body: object): Promise<string> {
  const answer = await app.call('POST', path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.id;
}
const workflow = (nodes: object[], edges: string[] = []) =>
  made('/v1/workflows', { name: `Flow ${++count}`, definition: { nodes, edges: edges.map(anEdge) } });

/** What the model reads of one call with these settings. */
async function resultOf(settings: object, tool: string, input: object = {}, more: object = {}): Promise<string> {
  [evilGot.length, got.length] = [0, 0];
  const { name } = await app.provider({ tool_calls: [{ id: 'c', name: tool, input }] });
  const id = await app.converse({ ...base, model: [`${name}/one`], ...settings });
  const { parts } = await app.say(id, 'Do it', more);
  return parts.find((part) => part.type === 'function')?.content ?? '';
}
/** Checks that the call is refused, that its result names the host, and that nothing was sent. */
async function isRefused(settings: object, tool: string, input: object = {}) {
  assert.match(await resultOf({ ...only, ...settings }, tool, input), new RegExp(`may not reach ${evilHost}`));
  assert.deepEqual(evilGot, []);
}

suite('allowed_hosts', () => {
  test('allowed_hosts refuses every other host, and names it', async () => {
    await isRefused(action(`${evil}/in`), 'action_post');
    assert.match(await resultOf({ ...only, ...action(`${desk}/in`) }, 'action_post'), /words/);
    assert.match(await resultOf(action(`${evil}/in`), 'action_post'), /words/, 'an empty list restricts nothing');
  });

  test('refuses pages, redirects to other hosts, and the search service', async () => {
    await isRefused(web, 'web_research_read_page', { url: `${evil}/in` });
    await isRefused(web, 'web_research_read_page', { url: `${desk}/moved` });
    assert.deepEqual(got, ['/moved']);
    await isRefused(web, 'web_research_search', { query: 'secret' });
  });

  test('refuses MCP servers and databases', async () => {
    const server = await scriptedMcp();
    const { host } = new URL(server.url);
    const mcp_servers = [{ name: 'far', url: server.url }];
    const said = await resultOf({ ...only, mcp_servers }, 'mcp_far_unavailable');
    assert.match(said, new RegExp(`may not reach ${host}`));
    assert.deepEqual(server.asked, []);
    const dsn = { name: 'DSN', inline_value: `postgres://u:p@${evilHost}/db`, is_secret: true };
    const variables = { variables_enabled: true, variables: [await made('/v1/variables', dsn)] };
    const databases = [{ name: 'crm', dsn_variable: 'DSN' }];
    await isRefused({ ...variables, databases }, 'databases_schema', { database: 'crm' });
  });

  test('holds for workflows that the agent runs, also nested ones and tools that they call', async () => {
    const inner = await workflow([aNode('send', 'HttpRequestNode', { method: 'POST', url: `${evil}/in` })]);
    const outer = await workflow([aNode('sub', 'SubWorkflowNode', { workflow_id: inner })]);
    await isRefused({ workflows: [outer] }, `workflow_flow_${count}`);
    const text = aNode('text', 'ComposeTextNode', { template: 'all' });
    const hook = aNode('hook', 'SendWebhookNode', { url: `${evil}/in` });
    const hooking = await workflow([text, hook], ['text.output -> hook.payload']);
    await isRefused({ workflows: [hooking] }, `workflow_flow_${count}`);
    const helper = await made('/v1/agents', { name: 'Helper', definition: { ...base, ...action(`${evil}/in`) } });
    const calling = await workflow([
      aNode('call', 'ToolCallNode', { agent_id: helper, tool: 'action_post', fixed: {} }),
    ]);
    await isRefused({ workflows: [calling] }, `workflow_flow_${count}`);
  });

  test('holds for a co-worker, whose own list can only narrow it', async () => {
    const { server, name } = await app.provider({ tool_calls: [{ id: 'c', name: 'action_post', input: {} }] });
    const definition = {
      ...base,
      model: [`${name}/one`],
      ...action(`${evil}/in`),
      allowed_hosts: [evilHost, deskHost],
    };
    const helper = await made('/v1/agents', { name: 'Clerk', definition });
    await resultOf({ ...only, coworkers: [helper] }, 'coworker_Clerk', { message: 'Post it' });
    assert.match(JSON.stringify(server.last().body), new RegExp(`may not reach ${evilHost}`));
    assert.deepEqual(evilGot, []);
  });

  test('refuses files that a message names by their address', async () => {
    const id = await app.converse({ ...base, ...only });
    const files = [{ name: 'a.txt', type: 'text/plain', url: `${evil}/in` }];
    evilGot.length = 0;
    const { status, text } = await app.call('POST', `/v1/conversations/${id}`, { content: 'Read', files });
    assert.equal(status, 422);
    assert.match(text, new RegExp(`may not reach ${evilHost}`));
    assert.deepEqual(evilGot, []);
  });

  test('a caller that may only run agents narrows the list, and can not widen it', async () => {
    const definition = { ...base, allowed_hosts: ['*.example.com', deskHost] };
    const agent = await made('/v1/agents', { name: 'Strict', definition });
    const { group_id } = (await app.call('GET', `/v1/agents/${agent}`)).json;
    const { value: key } = await makeAccountKey(app, group_id, ['agents_run']);
    const start = (allowed_hosts: string[]) =>
      app.call('POST', `/v1/conversations?assistant_id=${agent}`, { settings: { allowed_hosts } }, { key });
    for (const wider of [[], ['*.example.com', evilHost], ['example.com']]) {
      const { status, text } = await start(wider);
      assert.deepEqual([status, /allowed_hosts/.test(text)], [403, true], JSON.stringify(wider));
    }
    const { status, json } = await start(['desk.example.com']);
    assert.deepEqual([status, json.settings?.allowed_hosts], [200, ['desk.example.com']]);
  });
});

test('lists of hosts have what both allow in common, and no host where that is nothing', () => {
  const { tighten, isAsStrict } = whenFewerHosts;
  assert.deepEqual(tighten(['a.example.com', 'b.org'], ['*.example.com']), ['a.example.com']);
  assert.deepEqual(tighten(['*.example.com:443'], ['a.example.com']), ['a.example.com:443']);
  assert.deepEqual(tighten([], ['a.org']), ['a.org']);
  assert.deepEqual(tighten(['a.org'], []), ['a.org']);
  assert.deepEqual(tighten(['a.org'], ['b.org']), ['none']);
  assert.deepEqual(tighten(['none'], ['b.org']), ['none']);
  assert.deepEqual(
    [isAsStrict(['a.org'], []), isAsStrict([], ['a.org']), isAsStrict(['a.org'], ['none'])],
    [false, true, true],
  );
  const at = (hostname: string, port = '443') => ({ hostname, port });
  assert.equal(isHostListed(['*.example.com'], at('example.com')), false);
  assert.equal(isHostListed(['*.example.com'], at('evilexample.com')), false);
  assert.equal(isHostListed(['a.org:80'], at('a.org')), false);
  assert.equal(isHostListed(['none'], at('none.org')), false);
  assert.equal(isHostListed(['[::1]'], at('[::1]')), true);
});
