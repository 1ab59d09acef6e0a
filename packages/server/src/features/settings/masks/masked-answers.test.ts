import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { maskSecrets } from '../../../lib/secrets/mask-secrets.ts';
import { maskPairs } from '../../../lib/secrets/mask-text.ts';
import { maskUrl } from '../../../lib/secrets/mask-url.ts';

const { call, workspace, query } = await testApp();

/** A text that every credential of this test contains. */
const mark = 'S3CR3T';
const secret = (name: string) => `${name}-${mark}`;
const actions = [
  {
    name: 'query',
    url: `https://crm.example/list?page=2&api_key=${secret('query')}&token={{secret.CRM}}`,
    headers: { 'X-Anything': secret('header'), Authorization: 'Bearer {{secret.CRM}}' },
    body: { customer: '{{customer}}', password: secret('body'), nested: [{ access_token: secret('nested') }] },
    input_schema: { type: 'object', properties: { token: { type: 'string', default: secret('default') } } },
  },
  {
    name: 'user',
    url: `https://ada:${secret('user')}@crm.example/`,
    body: `{"q": {{q}}, "apiKey": "${secret('text')}"}`,
  },
  { name: 'form', url: 'https://crm.example/', body: `q=1&client_secret=${secret('form')}` },
  { name: 'hook', url: `https://hooks.example/services/T0/aBcDeFgHiJkLmN0pQrSt${mark}` },
];
const mcp_servers = [
  { name: 'crm', url: `https://crm.example/mcp?sig=${secret('mcp')}`, headers: { Cookie: secret('cookie') } },
];
const tools = [
  {
    type: 'action',
    name: 'more',
    url: `https://x.example/?secret=${secret('tool')}`,
    headers: { a: secret('tool-header') },
  },
  { type: 'custom', config: { apiKey: secret('custom'), pairs: [{ name: 'X-Token', value: secret('pair') }] } },
];
const databases = [{ name: 'db', dsn_variable: 'DSN', dsn: `postgres://u:${secret('dsn')}@db.example/x` }];
const definition = { actions, mcp_servers, tools, databases };

async function place() {
  const { id, key: editor } = await workspace();
  await call('POST', '/v1/variables', { name: 'DSN', inline_value: 'x' }, { key: editor });
  const keyWith = async (...permissions: string[]) =>
    (await call('POST', `/v1/admin/groups/${id}/api-keys`, { name: 'k', reach: 'workspace', permissions })).json
      .value as string;
  return { id, editor, keyWith, runner: await keyWith('agents_run'), other: await keyWith('agents_run') };
}

test('shows no credential of a tool to a key without agents_edit, in any answer that holds settings', async () => {
  const { editor, runner } = await place();
  const as = { key: editor };
  const { json: agent } = await call('POST', '/v1/agents', { name: 'A', definition }, as);
  assert.ok(JSON.stringify(agent).includes(mark), 'the editor sees them');
  await call('PATCH', `/v1/agents/${agent.id}?preview=true`, { definition: { actions: actions.slice(1) } }, as);
  const version = await call('POST', `/v1/agents/${agent.id}/versions`, { name: 'v', definition: { tools: [] } }, as);
  const versions = await call('GET', `/v1/agents/${agent.id}/versions`, undefined, as);
  const first = versions.json.at(-1).id;
  const made = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'c' }, { key: runner });
  const preview = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { preview: true }, as);
  assert.equal(preview.status, 200, preview.text);
  const at = `/v1/conversations/${made.json.id}`;
  const answers = [made, await call('PATCH', at, { name: 'd' }, { key: runner })];
  for (const path of [
    ...['/v1/agents', `/v1/agents/${agent.id}`, `/v1/agents/${agent.id}/versions`, '/v1/models'],
    `/v1/agents/${agent.id}/versions/${first}`,
    `/v1/agents/${agent.id}/versions/diff?from=${first}&to=${version.json.id}`,
    ...[at, '/v1/conversations?include_empty=true', `${at}/export?format=json`],
    `/v1/conversations/${preview.json.id}`,
  ])
    answers.push(await call('GET', path, undefined, { key: runner }));
  for (const { status, text } of answers) {
    assert.equal(status, 200, text);
    assert.equal(text.includes(mark), false, text);
  }
  const [query, , , hook] = answers[0]?.json.settings.actions ?? [];
  assert.equal(query.url, 'https://crm.example/list?page=2&api_key=********&token={{secret.CRM}}');
  assert.deepEqual(query.headers, { 'X-Anything': '********', Authorization: 'Bearer {{secret.CRM}}' });
  assert.deepEqual(query.body, {
    customer: '{{customer}}',
    password: '********',
    nested: [{ access_token: '********' }],
  });
  assert.equal(hook.url, 'https://hooks.example/services/T0/********');
});

test('stores no mask in place of a credential when a caller sends back what it was shown', async () => {
  const { editor, runner } = await place();
  const { json: agent } = await call('POST', '/v1/agents', { name: 'A', definition }, { key: editor });
  const { json: made } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, {}, { key: runner });
  const { actions: shown, mcp_servers: servers, tools: entries } = made.settings;
  const settings = { actions: shown, mcp_servers: servers, tools: entries, temperature: 0.1 };
  const at = `/v1/conversations/${made.id}`;
  const patched = await call('PATCH', at, { settings }, { key: runner });
  assert.equal(patched.status, 200, patched.text);
  assert.equal(patched.json.settings.temperature, 0.1);
  const again = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { settings }, { key: runner });
  assert.equal(again.status, 200, again.text);
  for (const id of [made.id, again.json.id]) {
    const seen = (await call('GET', `/v1/conversations/${id}`, undefined, { key: editor })).json.settings;
    assert.deepEqual([seen.actions, seen.mcp_servers], [actions, mcp_servers]);
    const [row] = await query('select settings from conversations where id = $1', [id]);
    assert.deepEqual(JSON.parse(row.settings), { temperature: 0.1 });
  }
  const moved = [{ ...shown[0], url: 'https://evil.example/' }, ...shown.slice(1)];
  assert.equal((await call('PATCH', at, { settings: { actions: moved } }, { key: runner })).status, 403);
});

test('shows no credential of a workflow to a key without flows_edit, nor the routing keys of its webhooks', async () => {
  const { editor, keyWith } = await place();
  const reader = await keyWith('flows_run');
  const as = { key: editor };
  const node = {
    id: 'n',
    type: 'no-such',
    data: { url: `https://x.example/?token=${secret('node')}`, headers: { a: secret('n') } },
  };
  const body = { name: 'W', type: 'flow', definition: { nodes: [node], edges: [] } };
  const { json: workflow, status } = await call('POST', '/v1/workflows?force=true', body, as);
  assert.equal(status, 200, JSON.stringify(workflow));
  assert.ok(JSON.stringify(workflow.definition).includes(mark));
  for (const path of [
    '',
    '/v1/workflows',
    `/v1/workflows/${workflow.id}`,
    `/v1/workflows/${workflow.id}/versions`,
  ].slice(1)) {
    const { text, status } = await call('GET', path, undefined, { key: reader });
    assert.equal(status, 200, text);
    assert.equal(text.includes(mark), false, text);
  }
  const hook = { name: 'H', definition: { type: 'webhook' } };
  const { json: trigger } = await call('POST', `/v1/workflows/${workflow.id}/triggers`, hook, as);
  assert.match(trigger.routing_key, /^[\w-]{43}$/);
  const paths = [`/v1/workflows/${workflow.id}/triggers`, `/v1/triggers/${trigger.id}`];
  for (const path of paths) {
    assert.ok((await call('GET', path, undefined, as)).text.includes(trigger.routing_key));
    const { text, status } = await call('GET', path, undefined, { key: reader });
    assert.equal(status, 200, text);
    assert.equal(text.includes(trigger.routing_key), false, path);
  }
});

test("shows the routing key of an agent's webhook to agents_edit only", async () => {
  const { editor, runner, keyWith } = await place();
  const { json: agent } = await call('POST', '/v1/agents', { name: 'A', definition: {} }, { key: editor });
  const hook = { name: 'H', definition: { type: 'webhook' } };
  const made = await call('POST', `/v1/agents/${agent.id}/triggers`, hook, { key: editor });
  assert.equal(made.status, 200, made.text);
  const flows = await keyWith('flows_edit', 'flows_run', 'agents_run');
  for (const key of [runner, flows])
    for (const path of [`/v1/agents/${agent.id}/triggers`, `/v1/triggers/${made.json.id}`]) {
      const { text, status } = await call('GET', path, undefined, { key });
      assert.equal(status, 200, text);
      assert.equal(text.includes(made.json.routing_key), false, path);
    }
});

test("shows the link of another key's conversation to conversations_read only", async () => {
  const { runner, other, keyWith } = await place();
  const reader = await keyWith('agents_run', 'conversations_read');
  const { json: made } = await call('POST', '/v1/conversations', { name: 'mine' }, { key: runner });
  const at = `/v1/conversations/${made.id}`;
  const refused = await call('POST', `${at}/share`, undefined, { key: other });
  assert.equal(refused.status, 403);
  const { json: shared } = await call('POST', `${at}/share`, undefined, { key: runner });
  const token = shared.public_access_token;
  assert.match(token, /^[\w-]{43}$/);
  const paths = [at, '/v1/conversations?include_empty=true'];
  for (const path of paths) {
    for (const key of [runner, reader])
      assert.ok((await call('GET', path, undefined, { key })).text.includes(token), path);
    assert.equal((await call('GET', path, undefined, { key: other })).text.includes(token), false, path);
  }
  assert.equal((await call('PATCH', at, { name: 'x' }, { key: other })).text.includes(token), false);
  assert.equal((await call('POST', `${at}/share`, undefined, { key: other })).status, 403);
});

test('shows the address of an MCP server without its credentials to a key without agents_edit', async () => {
  const { editor, keyWith } = await place();
  const url = `https://mcp.example/mcp?key=${secret('server')}`;
  const { json: server } = await call('POST', '/v1/mcp-servers', { url }, { key: editor });
  assert.equal(server.url, url);
  const key = await keyWith('integrations_edit');
  for (const path of ['/v1/mcp-servers', `/v1/mcp-servers/${server.id}`])
    assert.equal((await call('GET', path, undefined, { key })).text.includes(mark), false, path);
});

test('covers what is a credential in an address, and keeps the rest to the letter', () => {
  const cases: [string, string][] = [
    ['https://host/path?q=1#top', 'https://host/path?q=1#top'],
    ['https://user:pass@host:8080/a@b', 'https://********@host:8080/a@b'],
    ['postgres://u:p@db/x', 'postgres://********@db/x'],
    ['https://host/?a=1&X-Amz-Signature=x&b=2', 'https://host/?a=1&X-Amz-Signature=********&b=2'],
    ['https://host/#access_token=x&state=1', 'https://host/#access_token=********&state=1'],
    [
      'https://{{user}}:{{secret.pass}}@host/?token={{secret.T}}',
      'https://{{user}}:{{secret.pass}}@host/?token={{secret.T}}',
    ],
    ['https://host/018f0000-0000-7000-8000-000000000000/x', 'https://host/018f0000-0000-7000-8000-000000000000/x'],
    ['https://host/bot123456:AAEfGhIjKlMnOpQrStUv/send', 'https://host/********/send'],
    ['https://host/hooks/0123456789abcdef0123456789abcdef/send', 'https://host/hooks/********/send'],
    ['https://host/?subscription-key=x&sort_key=name', 'https://host/?subscription-key=********&sort_key=name'],
    ['https://host/?x-functions-key=x&appKey=y', 'https://host/?x-functions-key=********&appKey=********'],
    ['operator:files', 'operator:files'],
  ];
  for (const [url, shown] of cases) assert.equal(maskUrl(url), shown);
  assert.equal(maskPairs('a=1&password=x&pass={{secret.P}}'), 'a=1&password=********&pass={{secret.P}}');
});

test('leaves what a schema says of a parameter alone', () => {
  const schema = { properties: { token: { type: 'string', description: 'Ask for it' }, headers: { type: 'object' } } };
  assert.deepEqual(maskSecrets([{ input_schema: schema, name: 'x', enabled: true }]), [
    { input_schema: schema, name: 'x', enabled: true },
  ]);
});
