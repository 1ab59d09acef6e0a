import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { scriptedApp } from '../../../test/scripted-app.ts';
import { scriptedMcp } from './testing.ts';

const app = await scriptedApp({ web_allow: ['127.0.0.1'] });
const { server: model, name: account } = await app.provider();

/** An authorization server whose refresh tokens are good once, as careful ones are. */
async function authorizationServer(expires_in = 3600) {
  const asked: URLSearchParams[] = [];
  let refresh = 'refresh-secret-0';
  const state = { token: '', refuse: false, asked, url: '', expires_in };
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    asked.push(form);
    const refused =
      state.refuse || (form.get('grant_type') === 'refresh_token' && form.get('refresh_token') !== refresh);
    response.setHeader('content-type', 'application/json');
    if (refused) return void response.writeHead(400).end('{"error": "invalid_grant", "error_description": "s3cret"}');
    refresh = `refresh-secret-${asked.length}`;
    state.token = `access-secret-${asked.length}`;
    const { token: access_token } = state;
    response.end(JSON.stringify({ access_token, refresh_token: refresh, expires_in: state.expires_in }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => server.close());
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  return state;
}

async function guarded(login: Awaited<ReturnType<typeof authorizationServer>>) {
  const mcp = await scriptedMcp();
  mcp.before = (request, response) => {
    if (request.headers.authorization === `Bearer ${login.token}`) return undefined;
    request.resume();
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    return true;
  };
  return mcp;
}

async function used(url: string): Promise<string> {
  model.reply({ tool_calls: [{ name: 'mcp_w_echo', input: { say: 'x' } }] }, { text: 'Done' });
  const settings = { model: [`${account}/one`], pii_anonimization: [], mcp_servers: [{ name: 'w', url }] };
  await app.ask(settings);
  return (model.last().body.messages as { role: string; content: string }[]).find(({ role }) => role === 'tool')
    ?.content as string;
}
const good = async (method: string, path: string, body?: object) => {
  const answer = await app.call(method, path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

test('a server is logged in to by client credentials; its token is asked for once and shown to nobody', async () => {
  const login = await authorizationServer();
  const mcp = await guarded(login);
  const made = await good('POST', '/v1/mcp-servers', {
    ...{ url: mcp.url, grant_type: 'client_credentials', token_url: login.url, scope: 'tools' },
    ...{ client_id: 'atrium', client_secret: 'client-secret' },
  });
  assert.deepEqual([made.client_secret, made.refresh_token, made.tools], ['********', null, []]);
  assert.deepEqual(await Promise.all([used(mcp.url)]), ['called {"say":"x"}']);
  assert.equal(await used(mcp.url), 'called {"say":"x"}');
  assert.equal(login.asked.length, 1);
  assert.deepEqual(Object.fromEntries(login.asked[0] ?? []), {
    ...{ grant_type: 'client_credentials', client_id: 'atrium', client_secret: 'client-secret', scope: 'tools' },
    resource: mcp.url,
  });
  const rows = JSON.stringify(await app.query('select * from mcp_servers'));
  const shown = JSON.stringify(await good('GET', `/v1/mcp-servers/${made.id}`));
  for (const secret of ['client-secret', 'access-secret', 'refresh-secret'])
    assert.ok(!`${rows}${shown}${app.logged.join('')}`.includes(secret), secret);
});

test('a refresh token that is good once is used once, however many calls need a new token', async () => {
  const login = await authorizationServer(30);
  const mcp = await guarded(login);
  const { id } = await good('POST', '/v1/mcp-servers', {
    ...{ url: mcp.url, grant_type: 'refresh_token', token_url: login.url, client_id: 'atrium' },
    refresh_token: 'refresh-secret-0',
  });
  assert.equal(await used(mcp.url), 'called {"say":"x"}');
  // Half a minute is less than the time ahead of which a token is replaced: each request has a new one.
  assert.ok(login.asked.length > 1);
  const tokens = login.asked.map((form) => form.get('refresh_token'));
  assert.equal(new Set(tokens).size, tokens.length);
  const { token_expires_at, last_error } = await good('GET', `/v1/mcp-servers/${id}`);
  assert.ok(token_expires_at !== null && last_error === null);
});

test('a token that is refused is replaced at once, and a login that is refused is told plainly', async () => {
  const login = await authorizationServer();
  const mcp = await guarded(login);
  const { id } = await good('POST', '/v1/mcp-servers', {
    ...{ url: mcp.url, grant_type: 'client_credentials', token_url: login.url, client_id: 'a', client_secret: 'b' },
  });
  await used(mcp.url);
  login.token = 'another';
  assert.equal(await used(mcp.url), 'called {"say":"x"}');
  assert.equal(login.asked.length, 2);
  login.refuse = true;
  login.token = 'yet another';
  const told = await used(mcp.url);
  assert.match(told, /lets nobody in: the authorization server answered 400 \(invalid_grant\)/);
  assert.doesNotMatch(told, /s3cret/);
  assert.match((await good('GET', `/v1/mcp-servers/${id}`)).last_error, /invalid_grant/);
});

test('a login that is not whole is refused, and its secrets are not sent to another address', async () => {
  const refusedAt = async (method: string, path: string, body: object) => {
    const { status, json } = await app.call(method, path, body);
    return [status, json.detail[0].loc.at(-1)];
  };
  const url = 'https://mcp.example.com/a';
  assert.deepEqual(await refusedAt('POST', '/v1/mcp-servers', { url, client_id: 'a' }), [422, 'grant_type']);
  const login = { grant_type: 'client_credentials', token_url: 'https://login.example.com/token', client_id: 'a' };
  assert.deepEqual(await refusedAt('POST', '/v1/mcp-servers', { url, ...login }), [422, 'client_secret']);
  const { id } = await good('POST', '/v1/mcp-servers', { url, ...login, client_secret: 'x' });
  const elsewhere = { token_url: 'https://evil.example.com/token' };
  assert.deepEqual(await refusedAt('PATCH', `/v1/mcp-servers/${id}`, elsewhere), [422, 'token_url']);
  await good('PATCH', `/v1/mcp-servers/${id}`, { ...elsewhere, client_secret: 'y' });
  assert.equal((await app.call('POST', '/v1/mcp-servers', { url })).status, 409);
  await good('DELETE', `/v1/mcp-servers/${id}`);
});
