import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { listenOnSocket } from '../../test/support/socket-client.ts';
import { testApp } from '../../test/support/test-app.ts';
import { adminKey } from '../../test/support/test-config.ts';

const { app, call } = await testApp({ trusted_proxies: ['127.0.0.1'] });
const { app: secured } = await testApp({ public_url: 'https://atrium.example.com' });
const { port } = await listenOnSocket(app);

/** The headers of an answer; its body is not read. */
async function headersOf(method: string, path: string, key: string | null) {
  const headers = { 'content-type': 'application/json', ...(key !== null && { 'x-api-key': key }) };
  const out = request({ port, method, path, agent: false, headers });
  out.end();
  const [response] = (await once(out, 'response')) as [IncomingMessage];
  response.destroy();
  return response.headers;
}

/** The answer to these bytes, which need not be HTTP. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(bytes);
  return text(socket);
}

test('sends nosniff with every response: operations, errors, streams, pages, files and malformed HTTP', async () => {
  const { json: conversation } = await call('POST', '/v1/conversations', {});
  const requests: [method: string, path: string, key?: null][] = [
    ['GET', '/v1/admin/me'],
    ['GET', '/v1/admin/me', null],
    ['GET', '/v1/conversations/none'],
    ['GET', `/v1/conversations/${conversation.id}/events`],
    ['GET', `/v1/conversations/${conversation.id}/export`],
    ['POST', '/v1/chat/completions'],
    ['DELETE', '/v1/conversations'],
    ['GET', '/no/such/path'],
    ['GET', '/%zz'],
    ['GET', `/v1/agents/${'x'.repeat(3000)}`],
    ['HEAD', '/health'],
    ['OPTIONS', '/v1/agents'],
    ...[
      '/',
      '/health',
      '/ready',
      '/metrics',
      '/docs',
      '/docs/try',
      '/docs/agents',
      '/docs/start.js',
      '/docs/swagger-ui.css',
      '/openapi.json',
    ].map((path): [string, string] => ['GET', path]),
    ...['/chat/none', '/embed/none.js', '/mcp', '/hooks/none'].map((path): [string, string] => ['GET', path]),
    ['POST', '/mcp'],
  ];
  for (const [method, path, key = adminKey] of requests) {
    const headers = await headersOf(method, path, key);
    assert.equal(headers['x-content-type-options'], 'nosniff', `${method} ${path.slice(0, 60)}`);
  }
  // A request without a host is answered by Node itself, with nothing to sniff at.
  for (const bytes of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n'])
    assert.match(await raw(bytes), /^x-content-type-options: nosniff\r$/im, bytes);
});

test('HSTS is sent where browsers reach the server by TLS, and only there', async () => {
  const headerOf = async (
    from: typeof app,
    remoteAddress: string,
    headers: Record<string, string> = {},
    url = '/health',
  ) => (await from.server.inject({ url, remoteAddress, headers })).headers['strict-transport-security'];
  const told = { 'x-forwarded-proto': 'https' };
  for (const path of ['/health', '/docs', '/no/such/path', '/v1/agents', '/%zz'])
    assert.equal(await headerOf(secured, '10.0.0.1', {}, path), 'max-age=31536000', path);
  assert.equal(await headerOf(app, '127.0.0.1', told), 'max-age=31536000', 'a trusted proxy says so');
  assert.equal(await headerOf(app, '127.0.0.1'), undefined);
  assert.equal(await headerOf(app, '10.0.0.1', told), undefined, 'anybody could say so');
});

test('no page of another site reads an answer, and no cookie opens anything', async () => {
  const origin = 'https://evil.example';
  const asking = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
  for (const [method, url] of [
    ['OPTIONS', '/v1/agents'],
    ['GET', '/v1/admin/me'],
    ['GET', '/health'],
    ['GET', '/openapi.json'],
  ] as const) {
    const { headers } = await app.server.inject({ method, url, headers: { ...asking, 'x-api-key': adminKey } });
    const names = Object.keys(headers).filter((name) => name.startsWith('access-control') || name === 'set-cookie');
    assert.deepEqual(names, [], `${method} ${url}`);
  }
  for (const name of ['x-api-key', 'api_key', 'authorization', 'session', 'token']) {
    const cookie = `${name}=${adminKey}`;
    assert.equal((await app.server.inject({ url: '/v1/admin/me', headers: { cookie } })).statusCode, 401, name);
    const query = { [name]: adminKey };
    assert.equal((await app.server.inject({ url: '/v1/admin/me', query })).statusCode, 401, `${name} in the address`);
  }
});

test('keeps personal answers out of caches, and lets clients revalidate catalogues and files', async () => {
  const { json: conversation } = await call('POST', '/v1/conversations', {});
  const requests: [method: string, path: string, key?: null][] = [
    ['GET', '/v1/admin/me'],
    ['GET', '/v1/admin/me', null],
    ['GET', '/v1/conversations'],
    ['GET', `/v1/conversations/${conversation.id}`],
    ['GET', '/v1/conversations/none'],
    ['GET', `/v1/conversations/${conversation.id}/export`],
    ['GET', `/v1/conversations/${conversation.id}/events`],
    ['GET', '/v1/events'],
    ['GET', '/v1/admin/audit/export'],
    ['POST', '/v1/conversations'],
    ['POST', '/mcp'],
  ];
  for (const [method, path, key = adminKey] of requests)
    assert.match(
      String((await headersOf(method, path, key))['cache-control']),
      /^private, no-store/,
      `${method} ${path}`,
    );
  const { headers } = await call('GET', '/v1/nodes');
  assert.equal(headers['cache-control'], 'private, no-cache');
  const again = await call('GET', '/v1/nodes', undefined, { headers: { 'if-none-match': String(headers['etag']) } });
  assert.deepEqual([again.status, again.headers['cache-control']], [304, 'private, no-cache']);
});
