import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileServer } from '../../src/features/files/testing.ts';
import { s3Server } from '../support/s3/s3-server.ts';
import { testApp } from '../support/test-app.ts';
import { until } from '../support/two-nodes.ts';

const store = await s3Server({ prefix: 'tests/' });
const { place, call, upload, download, data_dir, logged, workspace } = await fileServer({
  ...{ blobs: store.place, roles: ['http', 'worker'], db_pool: 12, encrypt_at_rest: true },
});
const inBucket = (workspace_id = place.id) =>
  [...store.objects.keys()].filter((key) => key.startsWith(`tests/blobs/${workspace_id}/`));
const key = place.key;

test('stores an upload in the bucket, encrypted, and serves it whole, in ranges and to nobody else', async () => {
  const content = Buffer.from('the plain words '.repeat(1_000_000));
  const { json } = await upload(content, 'large.txt');
  assert.deepEqual(inBucket(), [`tests/blobs/${place.id}/${json.id}`]);
  assert.ok(![...store.objects.values()].some(({ bytes }) => bytes.includes('plain words')));
  assert.ok(content.equals((await download(json.id)).bytes));
  const part = await download(json.id, { range: 'bytes=9000000-9000015' });
  assert.deepEqual([part.status, part.bytes.toString()], [206, content.subarray(9_000_000, 9_000_016).toString()]);
  const other = await workspace();
  assert.equal((await call('GET', `/v1/files/${json.id}`, undefined, { key: other.key })).status, 404);
  assert.equal((await call('DELETE', `/v1/files/${json.id}`, undefined, { key })).status, 200);
  assert.deepEqual(inBucket(), []);
  assert.ok(!existsSync(join(data_dir, 'blobs')));
});

test('takes an upload in parts', async () => {
  const content = randomBytes(300_000);
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '300000' };
  const { json } = await call('POST', '/v1/uploads', undefined, { key, headers });
  for (const offset of [0, 200_000]) {
    const part = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
    const body = content.subarray(offset, offset === 0 ? 200_000 : undefined);
    const sent = await call('PATCH', `/v1/uploads/${json.id}`, body, { key, headers: { ...headers, ...part } });
    assert.equal(sent.status, 204, sent.text);
  }
  const listed = await call('GET', '/v1/files', undefined, { key });
  const [file] = (listed.json.items ?? listed.json) as { id: string; size: number }[];
  assert.equal(file?.size, 300_000);
  assert.ok(content.equals((await download(file?.id ?? '')).bytes));
});

test('answers 503 without a word about the bucket while the store is away, and goes on afterwards', async () => {
  const { json } = await upload('kept', 'a.txt');
  store.fail(({ method }) => method === 'GET', ...Array(5).fill({ status: 503, code: 'SlowDown' }));
  const answer = await download(json.id);
  assert.deepEqual([answer.status, answer.json.code], [503, 'unavailable']);
  store.fail(({ method }) => method === 'PUT', { status: 403, code: 'AccessDenied' });
  const refused = await upload('lost', 'b.txt');
  assert.equal(refused.status, 503);
  assert.equal((await download(json.id)).bytes.toString(), 'kept');
  const told = `${answer.bytes}${refused.bytes}`;
  const { bucket, secret_access_key, access_key_id, endpoint } = store.place;
  for (const word of [bucket, secret_access_key, access_key_id, endpoint, 'AccessDenied', 'SlowDown', 'S3'])
    assert.ok(!told.includes(word), `${word} in ${told}`);
  const lines = logged.join('');
  assert.match(lines, /"s3.failed".*"AccessDenied"/);
  for (const word of [secret_access_key, access_key_id]) assert.ok(!lines.includes(word), word);
});

test('says nothing of the bucket in the system report', async () => {
  const { text } = await call('GET', '/v1/admin/system');
  for (const word of [store.place.bucket, store.place.endpoint, store.place.secret_access_key])
    assert.ok(!text.includes(word), word);
});

test('a deleted workspace takes its objects along', async () => {
  const { id, key: own } = await workspace();
  await upload('x', 'a.txt', { key: own });
  assert.equal(inBucket(id).length, 1);
  assert.equal((await call('DELETE', `/v1/admin/groups/${id}`)).status, 200);
  await until('its objects are gone', () => inBucket(id).length === 0);
});

test('does not start on the prefix of another database', async () => {
  await assert.rejects(testApp({ blobs: store.place }), /those of another database/);
});

test('does not start when files are in the data directory', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-s3-'));
  after(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'blobs', place.id), { recursive: true });
  const started = testApp({ data_dir: dir, blobs: { ...store.place, prefix: 'free/' } });
  await assert.rejects(started, /there are files in .*npm run move-files/);
});
