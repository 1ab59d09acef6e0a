import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listenOnSocket } from '../../test/support/socket-client.ts';
import { testApp } from '../../test/support/test-app.ts';
import { adminKey } from '../../test/support/test-config.ts';

const { app, call } = await testApp();
const { port } = await listenOnSocket(app);

async function read(path: string, headers: Record<string, string> = {}) {
  const out = request({ port, path, agent: false, headers: { 'x-api-key': adminKey, ...headers } });
  out.end();
  const [response] = (await once(out, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

test('compresses long answers as the client takes them', async () => {
  const plain = await read('/v1/nodes');
  assert.equal(plain.headers['content-encoding'], undefined);
  const packed = {
    'gzip, deflate, br': ['br', brotliDecompressSync],
    'gzip;q=1.0, br;q=0': ['gzip', gunzipSync],
    '*': ['br', brotliDecompressSync],
  } as const;
  for (const [accepted, [encoding, unpack]] of Object.entries(packed)) {
    const { headers, body } = await read('/v1/nodes', { 'accept-encoding': accepted });
    assert.equal(headers['content-encoding'], encoding);
    assert.match(String(headers.vary), /accept-encoding/);
    assert.equal(Number(headers['content-length']), body.length);
    assert.ok(body.length < plain.body.length / 5, `${body.length} of ${plain.body.length} bytes`);
    assert.deepEqual(unpack(body), plain.body);
  }
  for (const accepted of ['identity', 'br;q=0', 'zstd'])
    assert.deepEqual((await read('/v1/nodes', { 'accept-encoding': accepted })).body, plain.body);
});

test('leaves short answers, files and streams as they are', async () => {
  const { json: conversation } = await call('POST', '/v1/conversations', {});
  const accept = { 'accept-encoding': 'gzip, br' };
  assert.equal((await read('/v1/admin/me', accept)).headers['content-encoding'], undefined);
  const out = request({
    ...{ port, agent: false, path: `/v1/conversations/${conversation.id}/events` },
    headers: { 'x-api-key': adminKey, ...accept },
  });
  out.end();
  const [stream] = (await once(out, 'response')) as [IncomingMessage];
  stream.destroy();
  assert.equal(stream.headers['content-encoding'], undefined);
});

test('answers 304 to who has a catalogue already', async () => {
  for (const path of ['/v1/nodes', '/v1/admin/permissions', '/openapi.json']) {
    const first = await read(path, { 'accept-encoding': 'gzip' });
    const etag = String(first.headers.etag);
    assert.match(etag, /^"[\w-]{27}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await read(path, { 'if-none-match': known, 'accept-encoding': 'gzip' });
      assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag]);
    }
    assert.equal((await read(path, { 'if-none-match': '"other"' })).status, 200);
  }
  const stranger = await read('/v1/nodes', { 'x-api-key': 'wrong', 'if-none-match': '*' });
  assert.equal(stranger.status, 401);
});
