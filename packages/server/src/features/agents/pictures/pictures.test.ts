import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';

const { app, call, workspace } = await testApp();
const place = await workspace();
const heron = readFileSync(join(import.meta.dirname, '../../../../test/golden/files/heron.png'));

const form = (bytes: Buffer, filename = 'a.png') =>
  Buffer.concat([
    Buffer.from(`--P\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`),
    ...[bytes, Buffer.from('\r\n--P--\r\n')],
  ]);
const headers = { 'content-type': 'multipart/form-data; boundary=P' };
const upload = (at: string, bytes: Buffer, key = place.key) => call('POST', at, form(bytes), { key, headers });
const read = (url: string, key = place.key) => app.server.inject({ method: 'GET', url, headers: { 'x-api-key': key } });
const made = async () => (await call('POST', '/v1/agents', { name: 'Heron' }, { key: place.key })).json;

test('an uploaded picture is drawn smaller and served as an image that runs nothing', async () => {
  const { id, etag } = await made();
  const at = `/v1/agents/${id}`;
  const { status, json, text } = await upload(`${at}/picture`, heron);
  assert.equal(status, 200, text);
  const agent = (await call('GET', at, undefined, { key: place.key })).json;
  assert.equal(agent.image_url, json.image_url);
  assert.notEqual(agent.etag, etag);
  const shown = await read(json.image_url);
  assert.deepEqual([shown.statusCode, shown.headers['content-type']], [200, 'image/webp']);
  assert.equal(shown.headers['x-content-type-options'], 'nosniff');
  assert.match(String(shown.headers['content-security-policy']), /default-src 'none'.*sandbox/);
  assert.match(String(shown.headers['cache-control']), /^private, .*immutable$/);
  assert.equal(shown.rawPayload.toString('latin1', 8, 12), 'WEBP');
  assert.ok(shown.rawPayload.length < heron.length);
  assert.match(String((await read(`${at}/picture`)).headers['cache-control']), /no-cache/);

  assert.equal((await call('DELETE', `${at}/picture`, undefined, { key: place.key })).status, 200);
  assert.equal((await call('GET', at, undefined, { key: place.key })).json.image_url, null);
  assert.equal((await read(`${at}/picture`)).json().code, 'no_picture');
});

test('refuses vector images, bombs and damaged files, and keeps the picture', async () => {
  const { id } = await made();
  const at = `/v1/agents/${id}/picture`;
  const { image_url } = (await upload(at, heron)).json;
  const bomb = Buffer.from(heron.subarray(0, 64));
  bomb.writeUInt32BE(100_000, 16);
  bomb.writeUInt32BE(100_000, 20);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const bytes of [Buffer.from(svg), bomb, heron.subarray(0, 40)]) {
    const { status, json, text } = await upload(at, bytes);
    assert.deepEqual([status, json.code], [409, 'not_an_image'], text);
  }
  assert.equal((await upload(at, Buffer.alloc(6 * 1024 * 1024))).status, 413);
  assert.equal((await read(image_url)).statusCode, 200);
});

test('only those who edit agents of the workspace set a picture, and only its members see it', async () => {
  const { id } = await made();
  const at = `/v1/agents/${id}/picture`;
  await upload(at, heron);
  const other = await workspace();
  assert.equal((await upload(at, heron, other.key)).status, 404);
  assert.equal((await read(at, other.key)).statusCode, 404);
  const keys = `/v1/admin/groups/${place.id}/api-keys`;
  const weak = (await call('POST', keys, { name: 'weak', permissions: ['agents_run'] })).json.value;
  assert.equal((await upload(at, heron, weak)).status, 403);
  assert.equal((await read(at, weak)).statusCode, 200);
  const copy = (await call('POST', `/v1/agents/${id}/duplicate`, {}, { key: place.key })).json;
  assert.equal(copy.image_url, null, 'a copy does not show the picture of another agent');
});
