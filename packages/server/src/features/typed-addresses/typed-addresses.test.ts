import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherNode } from '../../../test/support/other-node.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { makeAddressKind } from '../../drivers/web/address-kind.ts';
import { makeAllowList } from '../../drivers/web/allow-list.ts';
import { makeTypedAddresses } from './service.ts';

const app = await testApp();
const { call } = app;
const inner = 'http://10.1.2.3/orders';

/** What sends an address, and where the answer names it. */
const places: [what: string, send: (url: string) => Promise<[path: string, body: object]>, at: string][] = [
  [
    'an action',
    async (url) => ['/v1/agents', { name: 'a', definition: { actions: [{ name: 'a', url }] } }],
    'body.definition.actions.0.url',
  ],
  [
    'an action among the tools',
    async (url) => ['/v1/agents', { name: 'a', definition: { tools: [{ type: 'action', name: 'a', url }] } }],
    'body.definition.tools.0.url',
  ],
  [
    'an MCP server of an agent',
    async (url) => ['/v1/agents', { name: 'a', definition: { mcp_servers: [{ name: 'a', url }] } }],
    'body.definition.mcp_servers.0.url',
  ],
  [
    'an action of a conversation',
    async (url) => ['/v1/conversations', { name: 'c', settings: { actions: [{ name: 'a', url }] } }],
    'body.settings.actions.0.url',
  ],
  ['an MCP server', async (url) => ['/v1/mcp-servers', { url }], 'body.url'],
  ['a webhook', async (url) => ['/v1/webhooks', { url, events: ['run.failed'] }], 'body.url'],
  [
    'a vault',
    async (url) => [
      '/v1/vault-credentials',
      { name: 'v', auth_method: 'token', address: url.replace(/\/orders$/, ''), token: 't' },
    ],
    'body.address',
  ],
  [
    'a channel',
    async (url) => {
      const { json } = await call('POST', '/v1/agents', { name: 'a' });
      return [`/v1/agents/${json.id}/deployments`, { channel: 'webhook', config: { reply_url: url } }];
    },
    'body.config.reply_url',
  ],
  [
    'a site',
    async (url) => {
      const { json } = await call('POST', '/v1/knowledge-bases', { name: 'K' });
      return [`/v1/knowledge-bases/${json.id}/sites`, { url }];
    },
    'body.url',
  ],
];

test('refuses a newly typed private address, naming ATRIUM_WEB_ALLOW and the host', async () => {
  for (const [what, send, at] of places) {
    const [path, body] = await send(inner);
    const refused = await call('POST', path, body);
    assert.equal(refused.status, 422, `${what}: ${refused.text}`);
    const [error] = refused.json.detail;
    assert.equal(error.loc.join('.'), at, what);
    assert.match(error.msg, /10\.1\.2\.3 is a private address, .*ATRIUM_WEB_ALLOW/, what);
    const [named, taken] = await send('https://intranet.example/orders');
    assert.equal((await call('POST', named, taken)).status, 200, `${what}: a name is judged when it is called`);
  }
});

test('judges every literal spelling of a private address, and no name', () => {
  const { refusalOf } = makeTypedAddresses(makeAddressKind(makeAllowList(['10.2.0.0/16', 'localhost'])));
  const { refusalOf: strict } = makeTypedAddresses(makeAddressKind(makeAllowList([])));
  for (const url of [
    'http://127.1',
    'http://0x7f000001/',
    'http://[::1]/',
    'http://192.168.0.1:8080/a',
    'http://172.16.9.9',
  ])
    assert.match(refusalOf(url) ?? '', /ATRIUM_WEB_ALLOW/, url);
  for (const url of ['http://localhost:3000', 'http://a.localhost', 'http://[fd00::1]/', 'https://10.2.3.4'])
    assert.match(strict(url) ?? '', /ATRIUM_WEB_ALLOW/, url);
  for (const url of [
    'http://localhost:3000',
    'https://10.2.3.4',
    'https://example.com',
    'http://{{host}}/x',
    'operator:x',
  ])
    assert.equal(refusalOf(url), undefined, url);
  assert.match(refusalOf('http://169.254.169.254/') ?? '', /metadata/);
  assert.doesNotMatch(refusalOf('http://169.254.169.254/') ?? '', /ATRIUM_WEB_ALLOW/);
});

test('keeps a stored private address with a warning, and refuses it again once it changes', async () => {
  const open = await otherNode(app, { web_allow: ['10.0.0.0/8'] });
  const action = { name: 'orders', url: inner };
  const saved = await open.call('POST', '/v1/agents', { name: 'a', definition: { actions: [action] } });
  assert.equal(saved.status, 200, saved.text);
  assert.equal(saved.json.warnings, undefined, 'a listed address gets no warning');
  const path = `/v1/agents/${saved.json.id}`;
  const shown = await call('GET', path);
  assert.deepEqual(
    shown.json.warnings.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')}: ${type}`),
    ['definition.actions.0.url: private_address'],
  );
  const kept = await call('PATCH', path, { definition: { actions: [{ ...action, description: 'Orders' }] } });
  assert.equal(kept.status, 200, kept.text);
  assert.match(kept.json.warnings[0].msg, /10\.1\.2\.3 .*ATRIUM_WEB_ALLOW/);
  const copied = await call('POST', `${path}/duplicate`, {});
  assert.equal(copied.status, 200, copied.text);
  const moved = await call('PATCH', path, { definition: { actions: [{ ...action, url: 'http://10.1.2.3/other' }] } });
  assert.equal(moved.status, 422, moved.text);
  const more = { actions: [action, { name: 'second', url: 'http://192.168.7.7/' }] };
  const added = await call('PATCH', path, { definition: more });
  assert.deepEqual(
    added.json.detail.map(({ loc }: { loc: string[] }) => loc.join('.')),
    ['body.definition.actions.1.url'],
  );
});

test('imports an agent with a private address, and warns of it', async () => {
  const definition = { actions: [{ name: 'orders', url: inner }] };
  const file = { format: 'atrium.agent', version: 1, agent: { name: 'i', definition }, references: [], secrets: [] };
  const imported = await call('POST', '/v1/agents/import', file);
  assert.equal(imported.status, 200, imported.text);
  assert.ok(
    imported.json.warnings.some(({ type }: { type: string }) => type === 'private_address'),
    imported.text,
  );
});

test('keeps the stored address of a webhook, and refuses another private one', async () => {
  const open = await otherNode(app, { web_allow: ['10.0.0.0/8'] });
  const made = await open.call('POST', '/v1/webhooks', { url: inner, events: ['run.failed'] });
  const path = `/v1/webhooks/${made.json.id}`;
  const kept = await call('PATCH', path, { url: inner, name: 'renamed' });
  assert.equal(kept.status, 200, kept.text);
  const moved = await call('PATCH', path, { url: 'http://10.1.2.3/other' });
  assert.equal(moved.status, 422, moved.text);
});

test('tells a caller without agents_edit nothing about addresses', async () => {
  const { key } = await app.workspace(['agents_run']);
  const settings = { actions: [{ name: 'a', url: inner }] };
  const refused = await call('POST', '/v1/conversations', { name: 'c', settings }, { key });
  assert.equal(refused.status, 403, refused.text);
  assert.doesNotMatch(refused.text, /ATRIUM_WEB_ALLOW/);
});
