import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealedColumns } from '../src/app/keyring/sealed-columns.ts';
import { testApp } from './support/test-app.ts';

const { call, workspace, query } = await testApp();
const { key } = await workspace();
const as = { key };

interface Place {
  /** Where the record is made, and with what. */
  make: [path: string, body: object];
  /** Moves its address, and leaves the secret out or sends its mask back. */
  moves: object[];
  /** Where the refusal points. */
  loc: string;
  /** The secret that has to come with it. */
  again: object;
}

const agent = await call('POST', '/v1/agents', { name: 'Ada', definition: {} }, as);
const deployments = `/v1/agents/${agent.json.id}/deployments`;
const evil = 'https://evil.example.com';
const mcp = (more: object) => ({ url: `https://mcp.example.com/${Math.random()}`, client_id: 'atrium', ...more });
const clientSecret = { grant_type: 'client_credentials', client_secret: 'a client secret' };
const email = { address: 'ada@example.com', smtp_host: 'mail.example.com', smtp_username: 'ada', smtp_password: 'pw' };
const teams = { app_id: 'app', app_password: 'a-teams-password' };
const slack = { signing_secret: 'a-signing-secret', bot_token: 'xoxb-a-token' };
const mask = '********';

/** Every place where a stored secret goes to a stored address, by the sealed column that holds it. */
const places: Record<string, Record<string, Place>> = {
  'mcp_servers.secrets': {
    'a token address': {
      make: ['/v1/mcp-servers', mcp({ ...clientSecret, token_url: 'https://login.example.com/token' })],
      moves: [{ token_url: evil }, { token_url: evil, client_secret: mask }, { token_url: `${evil}/token` }],
      ...{ loc: 'body.token_url', again: { client_secret: 'another' } },
    },
    'a refresh token': {
      make: [
        '/v1/mcp-servers',
        mcp({ grant_type: 'refresh_token', refresh_token: 'r', token_url: 'https://login.example.com/token' }),
      ],
      moves: [{ token_url: evil }, { token_url: evil, refresh_token: mask }, { token_url: evil, client_secret: 'x' }],
      ...{ loc: 'body.token_url', again: { refresh_token: 'another' } },
    },
    'no token address yet': {
      make: ['/v1/mcp-servers', mcp({ grant_type: 'authorization_code', client_secret: 'a client secret' })],
      moves: [{ token_url: evil }, { token_url: evil, grant_type: 'client_credentials' }],
      ...{ loc: 'body.token_url', again: { client_secret: 'another' } },
    },
  },
  'vault_credentials.secrets': {
    'a token': {
      make: ['/v1/vault-credentials', { name: 'one', address: 'https://vault.example.com', token: 'hvs.x' }],
      moves: [{ address: evil }, { address: evil, token: mask }, { address: evil, secret_id: 'x' }],
      ...{ loc: 'body.address', again: { token: 'hvs.y' } },
    },
    'an AppRole': {
      make: [
        '/v1/vault-credentials',
        { name: 'two', address: 'https://vault.example.com', auth_method: 'approle', role_id: 'r', secret_id: 's' },
      ],
      moves: [{ address: evil }, { address: evil, secret_id: mask }, { address: evil, token: 'x' }],
      ...{ loc: 'body.address', again: { secret_id: 'other' } },
    },
  },
  'webhooks.secret': {
    'a webhook': {
      make: ['/v1/webhooks', { url: 'https://example.com/atrium', events: ['run'] }],
      moves: [{ url: evil }, { url: evil, secret: mask }],
      ...{ loc: 'body.url', again: { secret: 'another-secret' } },
    },
  },
  'deployments.secrets': {
    Slack: {
      make: [deployments, { channel: 'slack', config: slack }],
      moves: [{ config: { api_url: evil } }, { config: { api_url: evil, bot_token: mask } }],
      ...{ loc: 'body.config.api_url', again: { config: { bot_token: 'xoxb-another' } } },
    },
    'Teams, its token address': {
      make: [deployments, { channel: 'teams', config: teams }],
      moves: [{ config: { token_url: evil } }, { config: { token_url: evil, app_password: mask } }],
      ...{ loc: 'body.config.token_url', again: { config: { app_password: 'another-password' } } },
    },
    'Teams, where replies go': {
      make: [deployments, { channel: 'teams', config: teams }],
      moves: [{ config: { service_hosts: ['evil.example.com'] } }],
      ...{ loc: 'body.config.service_hosts', again: { config: { app_password: 'another-password' } } },
    },
    'a mail server': {
      make: [deployments, { channel: 'email', config: email }],
      moves: [
        { config: { smtp_host: 'evil.example.com' } },
        { config: { smtp_host: 'evil.example.com', smtp_password: mask } },
      ],
      ...{ loc: 'body.config.smtp_host', again: { config: { smtp_password: 'other' } } },
    },
    "a mail server's port": {
      make: [deployments, { channel: 'email', config: email }],
      moves: [{ config: { smtp_port: 2525 } }],
      ...{ loc: 'body.config.smtp_port', again: { config: { smtp_password: 'other' } } },
    },
    "a mail server's encryption": {
      make: [deployments, { channel: 'email', config: email }],
      moves: [{ config: { smtp_tls: 'none' } }],
      ...{ loc: 'body.config.smtp_tls', again: { config: { smtp_password: 'other' } } },
    },
    'a reply address': {
      make: [deployments, { channel: 'webhook', config: { reply_url: 'https://example.com/replies' } }],
      moves: [{ config: { reply_url: evil } }, { config: { reply_url: evil, signing_secret: mask } }],
      ...{ loc: 'body.config.reply_url', again: { config: { signing_secret: 'another-secret' } } },
    },
  },
};

/** Sealed, but never sent to an address that is stored beside them; and those with tests of their own. */
const elsewhere = new Map([
  ['conversations.variables', 'texts'],
  ['conversations.public_token', 'what comes in is held against it'],
  ['conversation_placeholders.sealed', 'texts'],
  ['call_prompts.sealed', 'texts'],
  ['memories.sealed', 'texts'],
  ['blob_keys.sealed', 'encrypts files on the disk, and is never sent'],
  ['tenant_blob_keys.sealed', 'encrypts files on the disk, and is never sent'],
  ['idempotency_keys.answer', 'answers'],
  ['variables.value', 'bound to hosts, or to who saved what names them'],
  ['workflow_callback_keys.sealed', 'signs, and is never sent; each run names its own address'],
  ['mcp_authorizations.secrets', 'the addresses are sealed with it, and end with the login'],
  ['triggers.secret', 'what comes in is held against it'],
  ['deployments.token', 'what comes in is held against it'],
  ['outgoing_mails.sealed', 'texts'],
  ['push_keys.sealed', 'signs, and is sent nowhere'],
  ['push_subscriptions.sealed', 'the address itself, with keys that its browser made for it'],
  ['oidc_sessions.id_token', 'ends with its session, and goes to the provider that gave it'],
  ['second_factors.secret', 'what comes in is held against it'],
  ['identity_providers.client_secret', 'features/people/identities/provider-attacks.deep.test.ts'],
  ['provider_accounts.secrets', 'features/models/provider-addresses.test.ts'],
]);

const merged = (move: object, again: object) => {
  const [one, other] = [move as { config?: object }, again as { config?: object }];
  return one.config ? { config: { ...one.config, ...other.config } } : { ...move, ...again };
};

for (const [column, named] of Object.entries(places))
  for (const [name, { make, moves, loc, again }] of Object.entries(named))
    test(`refuses to move the address of ${name} without its secret (${column})`, async () => {
      const [path, body] = make;
      const made = await call('POST', path, body, as);
      assert.equal(made.status, 200, made.text);
      const at = `${path}/${made.json.id}`;
      const before = (await call('GET', at, undefined, as)).json;
      const [table, box] = column.split('.');
      const sealed = await query(`select ${box} as box from ${table} where id = $1`, [made.json.id]);
      for (const move of moves) {
        const refused = await call('PATCH', at, move, as);
        assert.equal(refused.status, 422, refused.text);
        assert.equal(refused.json.detail[0].loc.join('.'), loc);
        assert.match(refused.json.detail[0].msg, /needs the \w+ to be given again/);
      }
      assert.deepEqual((await call('GET', at, undefined, as)).json, before);
      assert.deepEqual(await query(`select ${box} as box from ${table} where id = $1`, [made.json.id]), sealed);
      const moved = await call('PATCH', at, merged(moves[0] as object, again), as);
      assert.equal(moved.status, 200, moved.text);
    });

test('knows of every sealed column whether what it holds is sent to an address', () => {
  const known = [...Object.keys(places), ...elsewhere.keys()];
  assert.deepEqual(sealedColumns.map(({ name }) => name).toSorted(), known.toSorted());
});

test('gives no login to an MCP server whose address is filled in by a variable', async () => {
  const login = { ...clientSecret, client_id: 'atrium', token_url: 'https://login.example.com/token' };
  const refused = await call('POST', '/v1/mcp-servers', { url: 'https://{{secret.HOST}}/mcp', ...login }, as);
  assert.deepEqual([refused.status, refused.json.detail[0].loc.join('.')], [422, 'body.url']);
});

test('a mask that is sent back changes no secret', async () => {
  const { json: made } = await call('POST', '/v1/webhooks', { url: 'https://example.com/a', events: ['run'] }, as);
  const boxOf = () => query('select secret from webhooks where id = $1', [made.id]);
  const before = await boxOf();
  assert.equal((await call('PATCH', `/v1/webhooks/${made.id}`, { secret: mask, name: 'Other' }, as)).status, 200);
  assert.deepEqual(await boxOf(), before);
});
