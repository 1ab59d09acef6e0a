import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { makeGuardedWeb } from './guarded-fetch.ts';
import { fakeInternet, fetchText, loopback, refusal } from './testing.ts';

const server = await loopback(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://x');
  const to = url.searchParams.get('to');
  if (to !== null)
    return response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end('moved');
  if (url.pathname === '/loop') return response.writeHead(302, { location: '/loop' }).end();
  const { 'user-agent': _, ...headers } = request.headers;
  response.end(JSON.stringify({ method: request.method, headers, body: await text(request) }));
});
const { connect } = fakeInternet(server.port);
const resolve = async (name: string) => (name.startsWith('inside') ? ['10.0.0.1'] : ['93.184.216.34']);
const web = makeGuardedWeb({ allow: [], resolve, connect });
const sent = (to: string, status = 302) => `http://a.example/?status=${status}&to=${encodeURIComponent(to)}`;

test('follows no redirect to a private address, also as the last of several', async () => {
  server.asked.length = 0;
  for (const to of [
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/',
    'http://inside.example/',
    'http://[::ffff:a9fe:a9fe]/',
    '//127.0.0.1/',
    '\\\\127.0.0.1\\',
    'http://0x7f000001/',
  ]) {
    await assert.rejects(web.fetch(sent(to)), refusal('private_address'), to);
    await assert.rejects(web.fetch(sent(sent(to, 307), 301)), refusal('private_address'), to);
  }
  assert.ok(server.asked.every((line) => line.startsWith('GET a.example')));
});

test('refuses a redirect to what is no address to fetch', async () => {
  for (const to of [
    'file:///etc/passwd',
    'ftp://a.example/',
    'http://user@a.example/',
    'data:text/plain,x',
    'http://[',
  ])
    await assert.rejects(web.fetch(sent(to)), refusal('bad_request'), to);
});

test('ends a loop of redirects after five', async () => {
  server.asked.length = 0;
  await assert.rejects(web.fetch('http://a.example/loop'), refusal('too_many_redirects'));
  assert.equal(server.asked.length, 6);
});

test('follows redirects, also relative ones, and returns the final address', async () => {
  const answer = await fetchText(web, sent('/there?x=1#part'));
  assert.equal(answer.url, 'http://a.example/there?x=1');
  assert.equal(JSON.parse(answer.text).method, 'GET');
});

const secrets = { authorization: 'Bearer s', cookie: 'c=1', 'X-Api-Key': 'k', 'x-own': 'y', accept: 'text/html' };
const echoed = async (url: string, request = {}) => JSON.parse((await fetchText(web, url, request)).text);

test('keeps headers within an origin, and sends only harmless ones to another', async () => {
  const own = await echoed(sent('/there'), { headers: secrets });
  assert.partialDeepStrictEqual(own.headers, {
    authorization: 'Bearer s',
    cookie: 'c=1',
    'x-api-key': 'k',
    'x-own': 'y',
  });
  for (const elsewhere of ['http://b.example/', 'http://a.example:8080/']) {
    const { headers } = await echoed(sent(elsewhere), { headers: secrets });
    assert.deepEqual(Object.keys(headers).sort(), ['accept', 'accept-encoding', 'connection', 'host']);
    assert.equal(headers.accept, 'text/html');
    assert.equal(headers.host, new URL(elsewhere).host);
  }
});

for (const [status, method, body] of [
  [301, 'GET', ''],
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', 'data'],
  [308, 'POST', 'data'],
] as const)
  test(`a POST that is answered ${status} goes on as a ${method}`, async () => {
    const headers = { 'content-type': 'text/plain' };
    const got = await echoed(sent('/there', status), { method: 'POST', body: 'data', headers });
    assert.deepEqual([got.method, got.body, 'content-type' in got.headers], [method, body, body !== '']);
  });

for (const status of [301, 302, 303, 307, 308])
  test(`a ${status} to another origin takes no body along, and no header of a request with secrets`, async () => {
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      const headers = { ...secrets, 'user-agent': 'secret-agent', accept: 'secret', 'content-type': 'secret/type' };
      const request = { method, body: 'secret body', headers, has_secrets: true };
      const answer = await fetchText(web, sent('http://b.example/', status), request);
      assert.doesNotMatch(answer.text, /secret|Bearer|c=1|"k"|"y"/, `${method} ${answer.text}`);
      const { body } = await echoed(sent('http://b.example/', status), { method, body: 'secret body' });
      assert.equal(body, '', 'nor the body of any other request');
    }
  });

test('ignores headers of a request that manage the connection', async () => {
  const headers = {
    Host: 'inside',
    'Content-Length': '9',
    'Transfer-Encoding': 'chunked',
    'Proxy-Authorization': 'x',
    Upgrade: 'h2c',
  };
  const got = await echoed('http://a.example/', { method: 'POST', body: 'ab', headers });
  const { host, connection, 'content-length': length } = got.headers;
  assert.deepEqual([host, connection, length, got.body], ['a.example', 'close', '2', 'ab']);
  assert.ok(!('upgrade' in got.headers) && !('proxy-authorization' in got.headers));
  await assert.rejects(web.fetch('http://a.example/', { headers: { a: 'x\r\nb: y' } }), refusal('bad_request'));
  await assert.rejects(web.fetch('http://a.example/', { method: 'CONNECT' as 'GET' }), refusal('bad_request'));
});
