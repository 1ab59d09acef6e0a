import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { scriptedMcp } from '../testing.ts';
import { cookieFor } from './browser-cookie.ts';

const app = await scriptedApp({ web_allow: ['127.0.0.1'] });
const { server: model, name: account } = await app.provider();
const origin = await app.app.server.listen({ port: 0, host: '127.0.0.1' });

/** A browser that keeps cookies, follows no redirects, and reaches us by our public address. */
function browser() {
  const jar = new Map<string, string>();
  async function open(url: string, init: RequestInit = {}) {
    const { pathname, search } = new URL(url);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(`${origin}${pathname}${search}`, { redirect: 'manual', headers: { cookie }, ...init });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*);/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    }
    const body = await answer.text();
    return { statusCode: answer.status, headers: answer.headers, body, json: () => JSON.parse(body), url };
  }
  /** Opens the login page and presses its button. */
  async function goOn(link: string) {
    const page = await open(link);
    const proof = /name="proof" value="([^"]+)"/.exec(page.body)?.[1];
    return proof === undefined ? page : open(link, { method: 'POST', body: new URLSearchParams({ proof }) });
  }
  return { jar, open, goOn };
}

/** An authorization server whose refresh tokens can be used once. */
async function authorizationServer(expires_in = 3600) {
  const asked: URLSearchParams[] = [];
  let refresh = 'refresh-secret-0';
  const state = { token: '', refuse: false, asked, url: '', expires_in, silent: Promise.resolve() };
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    asked.push(form);
    await state.silent;
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

/** A server that accepts the newest token, and the tokens that match `besides`. */
async function guarded(login: Awaited<ReturnType<typeof authorizationServer>>, besides?: RegExp) {
  const mcp = await scriptedMcp();
  mcp.before = (request, response) => {
    const { authorization = '' } = request.headers;
    if (authorization === `Bearer ${login.token}` || besides?.test(authorization)) return undefined;
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

test('logs in by client credentials, requests one token and shows it to no caller', async () => {
  const login = await authorizationServer();
  const mcp = await guarded(login);
  const made = await good('POST', '/v1/mcp-servers', {
    ...{ url: mcp.url, grant_type: 'client_credentials', token_url: login.url, scope: 'tools' },
    ...{ client_id: 'atrium', client_secret: 'client-secret' },
  });
  assert.deepEqual([made.client_secret, made.refresh_token, made.tools], ['********', null, []]);
  // A mask that is sent back keeps the secret, which is sent below.
  await good('PATCH', `/v1/mcp-servers/${made.id}`, { client_secret: made.client_secret });
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

test('uses a one-time refresh token once, however many calls need a new token', async () => {
  const login = await authorizationServer(30);
  // Tokens of the last half minute stay valid: the listener and the caller may have got different ones meanwhile.
  const mcp = await guarded(login, /^Bearer access-secret-/);
  const { id } = await good('POST', '/v1/mcp-servers', {
    ...{ url: mcp.url, grant_type: 'refresh_token', token_url: login.url, client_id: 'atrium' },
    refresh_token: 'refresh-secret-0',
  });
  assert.equal(await used(mcp.url), 'called {"say":"x"}');
  // Half a minute is less than the time by which tokens are renewed early, so each request has a new one.
  assert.ok(login.asked.length > 1);
  const tokens = login.asked.map((form) => form.get('refresh_token'));
  assert.equal(new Set(tokens).size, tokens.length);
  const { token_expires_at, last_error } = await good('GET', `/v1/mcp-servers/${id}`);
  assert.ok(token_expires_at !== null && last_error === null);
});

test('accepts tools of a server while its token is being requested', async () => {
  const login = await authorizationServer();
  const mcp = await guarded(login);
  const made = await good('POST', '/v1/mcp-servers', {
    ...{ url: mcp.url, grant_type: 'client_credentials', token_url: login.url, client_id: 'a', client_secret: 'b' },
  });
  const answering = Promise.withResolvers<void>();
  login.silent = answering.promise;
  const using = used(mcp.url);
  await until('the authorization server was asked', () => login.asked.length === 1);
  // The authorization server answers after this; accepting tools locks the row of the server.
  await good('POST', `/v1/mcp-servers/${made.id}/accept`, {});
  answering.resolve();
  assert.equal(await using, 'called {"say":"x"}');
});

test('replaces a refused token at once and reports a refused login', async () => {
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

test('refuses an incomplete login and does not send its secrets to another address', async () => {
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

/** An authorization server with a login page and metadata; tests can change the metadata. */
async function peopleServer() {
  const asked: { path: string; form: URLSearchParams; authorization: string | undefined }[] = [];
  const state = {
    ...{ url: '', asked, token: '', expires_in: 3600 as number | undefined, refresh: true },
    registered: {} as Record<string, never>,
    /** The parameters of the authorization request, by code. */
    codes: new Map<string, URLSearchParams>(),
    metadata: {} as Record<string, unknown>,
    client: { client_id: 'made-up', token_endpoint_auth_method: 'none' } as Record<string, string>,
  };
  let count = 0;
  const json = (response: ServerResponse, body: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer(async (request, response) => {
    const { pathname: path } = new URL(request.url ?? '', state.url);
    const body = await text(request);
    if (path === '/.well-known/oauth-authorization-server/tenant')
      return json(response, {
        issuer: `${state.url}/tenant`,
        authorization_endpoint: `${state.url}/authorize?theme=dark`,
        token_endpoint: `${state.url}/token`,
        registration_endpoint: `${state.url}/register`,
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        ...state.metadata,
      });
    if (path === '/register') {
      state.registered = JSON.parse(body);
      return json(response, state.client, 201);
    }
    if (path !== '/token') return json(response, {}, 404);
    const form = new URLSearchParams(body);
    asked.push({ path, form, authorization: request.headers.authorization });
    const wanted = state.codes.get(form.get('code') ?? '');
    const proven =
      wanted?.get('code_challenge') === hash('sha256', form.get('code_verifier') ?? '', 'base64url') &&
      wanted.get('redirect_uri') === form.get('redirect_uri');
    const good = form.get('grant_type') === 'refresh_token' ? form.get('refresh_token') === `again-${count}` : proven;
    if (!good) return json(response, { error: 'invalid_grant' }, 400);
    state.codes.delete(form.get('code') ?? '');
    state.token = `person-token-${++count}`;
    const { expires_in } = state;
    return json(response, {
      access_token: state.token,
      expires_in,
      ...(state.refresh && { refresh_token: `again-${count}` }),
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => server.close());
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

/** An MCP server with metadata about its login, and functions to log in as a user would. */
async function personally(login: Awaited<ReturnType<typeof peopleServer>>, described: object = {}) {
  const mcp = await guarded(login as never);
  const refuse = mcp.before;
  mcp.before = (request, response) => {
    if (request.url?.startsWith('/.well-known/')) {
      const known = request.url === '/.well-known/oauth-protected-resource/mcp';
      const body = { resource: mcp.url, authorization_servers: [`${login.url}/tenant`], ...described };
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return true;
    }
    return refuse?.(request, response);
  };
  const { id } = await good('POST', '/v1/mcp-servers', { url: mcp.url });
  const begin = (body: object = {}) => app.call('POST', `/v1/mcp-servers/${id}/authorize`, body);
  /** The callback address that the authorization server redirects to after the user has agreed. */
  const agreedTo = (asked: URLSearchParams, more: Record<string, string> = {}) => {
    const code = `code-${login.codes.size}-${Math.random()}`;
    login.codes.set(code, asked);
    const back = { state: asked.get('state') ?? '', code, iss: `${login.url}/tenant`, ...more };
    const query = new URLSearchParams(Object.entries(back).filter(([, value]) => value !== ''));
    return `/v1/mcp-servers/${id}/callback?${query}`;
  };
  /** Opens the login page, continues, agrees and follows the redirect back. */
  const agree = async (link: string, more: Record<string, string> = {}, who = browser()) => {
    const sent = await who.goOn(link);
    if (sent.statusCode !== 303) return { ...sent, asked: new URLSearchParams() };
    const { searchParams: asked } = new URL(sent.headers.get('location') ?? '');
    return { ...(await who.open(`${origin}${agreedTo(asked, more)}`)), asked };
  };
  return { mcp, id, begin, agree, agreedTo };
}

test('logs a user in by a browser: discovery, registration, PKCE, and each value good once', async () => {
  const login = await peopleServer();
  const { mcp, id, begin, agree } = await personally(login, { scopes_supported: ['read', 'write'] });
  const { json: begun } = await begin();
  const who = browser();
  const asked = new URL((await who.goOn(begun.authorization_url)).headers.get('location') ?? '');
  const { state, code_challenge, ...rest } = Object.fromEntries(asked.searchParams);
  assert.deepEqual(rest, {
    ...{ theme: 'dark', response_type: 'code', client_id: 'made-up', redirect_uri: begun.redirect_uri },
    ...{ scope: 'read write', resource: mcp.url, code_challenge_method: 'S256' },
  });
  assert.ok(state && state.length > 40 && code_challenge?.length === 43);
  assert.deepEqual((login.registered as Record<string, unknown>)['redirect_uris'], [begun.redirect_uri]);
  assert.match(await used(mcp.url), /no tool named/);

  const kept = new Map(who.jar);
  const back = await agree(begun.authorization_url, {}, who);
  assert.deepEqual([back.statusCode, back.body], [200, 'Logged in. This window can be closed.\n']);
  assert.deepEqual([kept.size, who.jar.size], [1, 0]);
  for (const [name, value] of kept) who.jar.set(name, value);
  assert.equal((await who.open(back.url)).json().code, 'login_over', 'what was brought back is good once');
  assert.equal((await who.open(begun.authorization_url)).json().code, 'login_over', 'and so is the address');
  assert.equal(login.asked[0]?.form.get('resource'), mcp.url);
  const shown = await good('GET', `/v1/mcp-servers/${id}`);
  assert.deepEqual(
    [shown.grant_type, shown.issuer, shown.client_id, shown.refresh_token, shown.last_error],
    ['authorization_code', `${login.url}/tenant`, 'made-up', '********', null],
  );
  assert.equal(await used(mcp.url), 'called {"say":"x"}');
  const stored = JSON.stringify([
    await app.query('select * from mcp_servers'),
    await app.query('select * from mcp_authorizations'),
    ...app.logged,
  ]);
  assert.doesNotMatch(stored, /person-token|again-1|code-0/);

  // The token is renewed without the user, and a second login uses the same registration.
  login.token = 'another';
  assert.equal(await used(mcp.url), 'called {"say":"x"}');
  assert.equal(login.asked.at(-1)?.form.get('grant_type'), 'refresh_token');
  login.registered = {};
  await begin();
  assert.deepEqual(login.registered, {});
});

test('reports a login that has expired and can not be renewed; sends the client secret as the server asks', async () => {
  const login = await peopleServer();
  const { mcp, id, begin, agree } = await personally(login);
  login.refresh = false;
  login.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
  login.client = { client_id: 'a:b', client_secret: 's3cret', token_endpoint_auth_method: 'client_secret_basic' };
  assert.equal((await agree((await begin()).json.authorization_url)).statusCode, 200);
  const { form, authorization } = login.asked[0] ?? {};
  assert.equal(authorization, `Basic ${Buffer.from('a%3Ab:s3cret').toString('base64')}`);
  assert.equal(form?.get('client_secret'), null);
  assert.equal(await used(mcp.url), 'called {"say":"x"}');
  login.token = 'another';
  assert.match(await used(mcp.url), /its login has run out, and somebody has to log in again/);
  assert.match((await good('GET', `/v1/mcp-servers/${id}`)).last_error, /run out/);
});

test('does not send a client that was set for another address to the discovered server', async () => {
  const login = await peopleServer();
  const { id, begin, agree } = await personally(login);
  const ours = { grant_type: 'client_credentials', client_id: 'ours', client_secret: 'kept to ourselves' };
  const clientAt = async (token_url: string) => {
    await good('PATCH', `/v1/mcp-servers/${id}`, { ...ours, token_url });
    const back = await agree((await begin()).json.authorization_url);
    assert.equal(back.statusCode, 200);
    const { form, authorization } = login.asked.at(-1) ?? {};
    const secret = Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64').toString() + form;
    return [back.asked.get('client_id'), /kept/.test(secret)];
  };
  assert.deepEqual(await clientAt('https://login.example.com/token'), ['made-up', false]);
  assert.deepEqual(await clientAt(`${login.url}/token`), ['ours', true]);
});

test('refuses answers of another authorization server, without consent or too late, and unsafe servers', async () => {
  const login = await peopleServer();
  const { id, begin, agree } = await personally(login);
  const address = async () => (await begin()).json.authorization_url as string;
  for (const [more, words] of [
    [{ iss: 'https://evil.example.com' }, /does not come from the authorization server that was asked/],
    [{ iss: '' }, /does not come from the authorization server that was asked/],
    [{ error: 'access_denied', code: '' }, /nobody has agreed/],
    [{ code: 'guessed' }, /invalid_grant/],
  ] as [Record<string, string>, RegExp][]) {
    const back = await agree(await address(), more);
    assert.deepEqual([back.statusCode, words.test(back.body)], [409, true], back.body);
  }
  assert.equal((await agree(await address(), { state: 'another' })).json().code, 'login_over');
  const [other, who] = [await personally(login), browser()];
  const { searchParams } = new URL((await who.goOn(await address())).headers.get('location') ?? '');
  const elsewhere = await who.open(`${origin}${other.agreedTo(searchParams)}`);
  assert.equal(elsewhere.json().code, 'login_over', 'it is bound to its server');
  const late = await address();
  await app.query(`update mcp_authorizations set expires_at = now() - interval '1 second'`);
  assert.equal((await agree(late)).json().code, 'login_over');
  assert.equal((await good('GET', `/v1/mcp-servers/${id}`)).grant_type, null);
  assert.equal(login.asked.filter(({ form }) => form.get('code') !== 'guessed').length, 0, 'no code went out');

  for (const [metadata, words] of [
    [{ issuer: 'https://evil.example.com' }, /describes itself as another/],
    [{ code_challenge_methods_supported: ['plain'] }, /PKCE/],
    [{ authorization_endpoint: 'javascript:alert(1)' }, /no addresses that can be used/],
    [{ token_endpoint: 'http://login.example.com/token' }, /no addresses that can be used/],
    [{ registration_endpoint: undefined }, /registers no clients by itself/],
  ] as [object, RegExp][]) {
    login.metadata = metadata as Record<string, unknown>;
    const { status, json } = await begin();
    assert.deepEqual([status, json.code, words.test(json.detail)], [409, 'login_refused', true], json.detail);
  }
  login.metadata = {};
  const odd = await personally(login, { resource: 'https://other.example.com/mcp' });
  assert.match((await odd.begin()).json.detail, /that of another server/);
});

test('shows what a login is for, and finishes it only in the browser that continued', async () => {
  const login = await peopleServer();
  const { mcp, id, begin, agreedTo } = await personally(login, { scopes_supported: ['<read>'] });
  const [mallory, victim] = [browser(), browser()];
  const link = (await begin()).json.authorization_url as string;
  const sent = await mallory.goOn(link);
  assert.equal(sent.statusCode, 303);
  const { searchParams } = new URL(sent.headers.get('location') ?? '');

  // The victim, logged in at the authorization server, opens its address directly and never sees our page.
  const lured = await victim.open(`${origin}${agreedTo(searchParams)}`);
  assert.deepEqual([lured.statusCode, lured.json().code], [409, 'login_over']);
  // Our address does not help either: another browser has continued from it, or another site sends the form.
  assert.equal((await victim.goOn(link)).json().code, 'login_over');
  const fresh = (await begin()).json.authorization_url as string;
  await victim.open(fresh);
  const forged = new URLSearchParams({ proof: 'guessed' });
  for (const init of [
    { method: 'POST', body: forged },
    { method: 'POST', body: '' },
    { method: 'POST', headers: {}, body: forged },
  ])
    assert.equal((await victim.open(fresh, init)).json().code, 'login_over');
  assert.equal(login.asked.length, 0);
  assert.equal((await good('GET', `/v1/mcp-servers/${id}`)).grant_type, null);

  const { body, headers } = await browser().open(fresh);
  for (const told of [mcp.url, `${login.url}/tenant`, '&lt;read&gt;', 'with your rights'])
    assert.ok(body.includes(told));
  const [workspace] = await app.query(
    'select name from workspaces w join mcp_servers s on s.workspace_id = w.id where s.id = $1',
    [id],
  );
  assert.ok(body.includes(`<dt>Workspace</dt><dd>${workspace.name}</dd>`));
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none';.*frame-ancestors 'none'/);
  assert.match(headers.getSetCookie()[0] ?? '', /; HttpOnly; SameSite=Lax$/);
  assert.match(cookieFor('https://a.example', id, null, 0), /^__Host-atrium_login_.*; Path=\/; .*; Secure$/);

  // Neither showing the page nor the refused attempts have used up the login.
  const back = await mallory.open(`${origin}${agreedTo(searchParams)}`);
  assert.equal(back.statusCode, 200, back.body);
  assert.equal((await victim.goOn(fresh)).statusCode, 303);
});
