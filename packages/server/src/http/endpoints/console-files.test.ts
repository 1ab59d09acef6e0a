import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { testApp } from '../../../test/support/test-app.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-console-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const folder = join(dir, 'dist');
mkdirSync(join(folder, 'assets'), { recursive: true });
writeFileSync(join(dir, 'secret.txt'), 'outside');
symlinkSync(join(dir, 'secret.txt'), join(folder, 'link.txt'));
writeFileSync(
  join(folder, 'index.html'),
  '<!doctype html><html><head><meta property="csp-nonce" nonce=""><script src="/assets/main-Bx3k9QaZ.js"></script></head></html>',
);
writeFileSync(join(folder, 'theme.js'), 'theme()');
writeFileSync(join(folder, 'apple-touch-icon.png'), 'icon');
writeFileSync(join(folder, 'assets', 'main-Bx3k9QaZ.js'), 'main()');
writeFileSync(join(folder, 'assets', 'main-Bx3k9QaZ.js.br'), 'packed');
writeFileSync(join(folder, 'assets', 'main-Bx3k9QaZ.js.gz'), gzipSync('main()'));

const { app } = await testApp({ console_dir: folder });
const get = (url: string, headers: Record<string, string> = {}) => app.server.inject({ method: 'GET', url, headers });
const html = { accept: 'text/html,*/*' };

test('sends the page with a strict policy and a fresh nonce each time', async () => {
  const [first, second] = [await get('/', html), await get('/', html)];
  const nonces = [first, second].map(({ payload, headers, statusCode }) => {
    const nonce = /<meta property="csp-nonce" nonce="([^"]{20,})">/.exec(payload)?.[1] ?? '';
    assert.equal(statusCode, 200);
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
    );
    assert.equal(headers['cache-control'], 'no-cache');
    return nonce;
  });
  assert.ok(nonces[0] && nonces[0] !== nonces[1]);
});

test('files with a hash in their name are kept for good, others are asked for again', async () => {
  const hashed = await get('/assets/main-Bx3k9QaZ.js');
  assert.equal(hashed.payload, 'main()');
  assert.equal(hashed.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(hashed.headers['content-type'], 'text/javascript; charset=utf-8');
  const packed = await get('/assets/main-Bx3k9QaZ.js', { 'accept-encoding': 'br' });
  assert.deepEqual([packed.headers['content-encoding'], packed.payload], ['br', 'packed']);
  assert.notEqual(packed.headers['etag'], hashed.headers['etag']);
  const zipped = await get('/assets/main-Bx3k9QaZ.js', { 'accept-encoding': 'gzip' });
  assert.deepEqual([zipped.headers['content-encoding'], gunzipSync(zipped.rawPayload).toString()], ['gzip', 'main()']);
  assert.equal((await get('/apple-touch-icon.png')).headers['cache-control'], 'no-cache');
  const plain = await get('/theme.js');
  assert.equal(plain.headers['cache-control'], 'no-cache');
  assert.equal((await get('/theme.js', { 'if-none-match': String(plain.headers['etag']) })).statusCode, 304);
});

test('an address of the console shows its page, and one of the API stays an error', async () => {
  assert.match((await get('/agents/42', html)).payload, /csp-nonce/);
  for (const [url, headers] of [
    ['/v1/no-such', html],
    ['/scim/no-such', html],
    ['/agents/42', { accept: 'application/json' }],
    ['/assets/gone-12345678.js', { accept: '*/*' }],
  ] as const) {
    const { statusCode, json } = await get(url, headers);
    assert.deepEqual([statusCode, json().code], [404, 'not_found'], url);
  }
  const wrong = await get('/v1/auth/sign-in', html);
  assert.equal(wrong.statusCode, 405);
  assert.equal((await get('/docs', html)).statusCode, 200);
  assert.equal((await app.server.inject({ method: 'POST', url: '/agents/42', headers: html })).statusCode, 404);
});

test('no path leads out of the folder', async () => {
  for (const url of [
    ...['/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/assets/../../secret.txt', '//secret.txt'],
    ...['/link.txt', '/..\\secret.txt', '/assets/%00', `${join(dir, 'secret.txt')}`],
  ]) {
    const { statusCode, payload } = await get(url);
    assert.ok(statusCode >= 400 && !payload.includes('outside'), `${url}: ${statusCode}`);
  }
});

test('without a console, the first page leads to the API reference as before', async () => {
  const { app: bare } = await testApp({ console_dir: join(dir, 'none') });
  const answer = await bare.server.inject({ method: 'GET', url: '/', headers: html });
  assert.deepEqual([answer.statusCode, answer.headers['location']], [302, '/docs']);
  assert.equal((await bare.server.inject({ method: 'GET', url: '/agents/42', headers: html })).statusCode, 404);
});
