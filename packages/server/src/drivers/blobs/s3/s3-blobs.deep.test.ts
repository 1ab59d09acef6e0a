import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked } from '../../../../test/support/s3/answer-request.ts';
import { type Fault, s3Server } from '../../../../test/support/s3/s3-server.ts';
import { newId } from '../../../lib/ids.ts';
import { makeLog } from '../../../lib/log.ts';
import { newBoxKey } from '../../../lib/secrets/sealed-box.ts';
import { S3Failed } from '../../s3/s3-failed.ts';
import { blobStoreConformance } from '../conformance.ts';
import { BlobMissing } from '../driver.ts';
import { makeEncryptedBlobs } from '../encrypted.ts';
import { makeS3Blobs } from './s3-blobs.ts';

const logged: string[] = [];
const log = makeLog('debug', (line) => logged.push(line));
const options = { log, wait_ms: 5, timeout_ms: 1500 };
const key = newBoxKey();
const keys = { current: async () => key, find: async () => key };

const [plainServer, sealedServer] = [await s3Server({ prefix: 'a/b/' }), await s3Server()];
blobStoreConformance('s3', async () => makeS3Blobs(plainServer.place, options));
blobStoreConformance('s3, encrypted', async () =>
  makeEncryptedBlobs(makeS3Blobs(sealedServer.place, options), { keys, encrypt: true }),
);

const server = await s3Server({ prefix: 'files/' });
const blobs = makeS3Blobs(server.place, options);
const here = newId();
const large = randomBytes(20_000_000);
const put = async (content: Buffer) => {
  const id = newId();
  await blobs.put(here, id, Readable.from([content]), 1e9);
  return id;
};
const keyOf = (id: string) => `files/blobs/${here}/${id}`;
const is = (method: string, more: (asked: Asked) => boolean = () => true) => {
  return (asked: Asked) => asked.method === method && more(asked);
};
const slowDown: Fault = { status: 503, code: 'SlowDown' };

test('stores a large blob in parts, whose end alone makes it readable', async () => {
  const id = await put(large);
  assert.equal(server.asked.filter((line) => line === `PUT ${keyOf(id)}`).length, 3);
  assert.equal(server.uploads.size, 0);
  assert.ok(large.equals(await buffer(await blobs.get(here, id))));
  const range = { start: 9_000_000, end: 9_999_999 };
  assert.ok(large.subarray(9_000_000, 10_000_000).equals(await buffer(await blobs.get(here, id, range))));
});

test('reads a small blob with one request', async () => {
  const id = await put(Buffer.from('small'));
  server.asked.length = 0;
  assert.equal((await buffer(await blobs.get(here, id))).toString(), 'small');
  assert.deepEqual(server.asked, [`GET ${keyOf(id)}`]);
});

for (const fault of [{ status: 500 }, slowDown, 'silent', 'lost'] as Fault[])
  test(`stores a blob although its first request fails: ${JSON.stringify(fault)}`, async () => {
    server.fail(is('PUT'), fault);
    const id = await put(Buffer.from('kept'));
    assert.equal((await buffer(await blobs.get(here, id))).toString(), 'kept');
  });

test('stores a large blob although the store first reports its end with status 200 and then an error', async () => {
  server.fail(
    is('POST', ({ query }) => query.has('uploadId')),
    { status: 200, code: 'InternalError' },
  );
  const id = await put(large);
  assert.ok(large.equals(await buffer(await blobs.get(here, id))));
});

test('does not take a page that is no list for an empty one', async () => {
  const id = await put(Buffer.from('still there'));
  const page: Fault = { status: 200, code: 'Welcome' };
  server.fail(
    is('GET', ({ query }) => query.has('list-type')),
    ...[page, page, page, page, page],
  );
  await assert.rejects(blobs.deleteWorkspace(here), S3Failed);
  assert.equal((await buffer(await blobs.get(here, id))).toString(), 'still there');
});

test('stores a large blob although each kind of request fails once', async () => {
  server.fail(
    is('POST', ({ query }) => query.has('uploads')),
    slowDown,
  );
  server.fail(
    is('PUT', ({ query }) => query.get('partNumber') === '2'),
    { status: 500 },
    'lost',
    'silent',
  );
  server.fail(
    is('POST', ({ query }) => query.has('uploadId')),
    { status: 500 },
    'lost',
  );
  const id = await put(large);
  assert.ok(large.equals(await buffer(await blobs.get(here, id))));
  assert.equal(server.uploads.size, 0);
});

test('goes on reading where an answer was cut off, however often', async () => {
  const id = await put(large);
  const isFirst = ({ headers }: Asked) => headers['range']?.startsWith('bytes=0-') ?? false;
  server.fail(is('GET', isFirst), 'cut', { status: 500 }, 'silent');
  const rest = is('GET', (asked) => !isFirst(asked));
  server.fail(rest, 'cut', { status: 500 }, 'cut', 'silent', 'cut', 'cut', slowDown, 'cut', 'cut', 'cut');
  assert.ok(large.equals(await buffer(await blobs.get(here, id))));
});

test('does not give up a reader that takes its time', async () => {
  const id = await put(large);
  const timeout_ms = 1000;
  const stream = await makeS3Blobs(server.place, { ...options, timeout_ms }).get(here, id);
  const chunks: Buffer[] = [];
  server.asked.length = 0;
  for await (const chunk of stream) if (chunks.push(chunk) === 3) await sleep(1.5 * timeout_ms);
  assert.ok(large.equals(Buffer.concat(chunks)));
  assert.equal(server.asked.length, 1, 'all but the beginning came with one answer');
});

test('stops reading when a reader ends its stream with an error', async () => {
  const id = await put(large);
  server.asked.length = 0;
  logged.length = 0;
  const stream = await blobs.get(here, id);
  let chunks = 0;
  stream.on('data', () => ++chunks === 3 && stream.destroy(new Error('the reader has left')));
  await assert.rejects(finished(stream), /the reader has left/);
  await sleep(100);
  assert.equal(server.asked.length, 2);
  assert.ok(!logged.some((line) => /s3\.(retry|failed)/.test(line)));
});

test('logs a 404 that is not of the store, and nothing for a missing or an empty object', async () => {
  const id = newId();
  await blobs.put(here, id, Readable.from([]), 10);
  logged.length = 0;
  assert.equal((await buffer(await blobs.get(here, id))).length, 0);
  await assert.rejects(blobs.get(here, newId()), BlobMissing);
  assert.deepEqual(logged, []);
  server.fail(is('GET'), { status: 404, code: 'page not found' });
  await assert.rejects(blobs.get(here, id), S3Failed);
  assert.match(logged.join(''), /"s3\.failed".*"status":404/);
});

test('fails and leaves nothing behind when the store does not recover', async () => {
  server.fail(
    is('PUT', ({ query }) => query.get('partNumber') === '2'),
    ...Array<Fault>(5).fill(slowDown),
  );
  const id = newId();
  const refused = (error: unknown) =>
    error instanceof S3Failed && error.kind === 'unavailable' && error.reason === 'SlowDown';
  await assert.rejects(blobs.put(here, id, Readable.from([large]), 1e9), refused);
  await assert.rejects(blobs.get(here, id), BlobMissing);
  assert.equal(server.uploads.size, 0);
});

test('does not send a request again that the store refuses for good', async () => {
  server.asked.length = 0;
  server.fail(is('GET'), { status: 403, code: 'AccessDenied' });
  await assert.rejects(blobs.get(here, newId()), (error) => error instanceof S3Failed && error.status === 403);
  assert.equal(server.asked.length, 1);
});

test('a missing bucket is an error, not a missing blob', async () => {
  const elsewhere = makeS3Blobs({ ...server.place, bucket: 'another' }, options);
  await assert.rejects(elsewhere.get(here, newId()), (error) => error instanceof S3Failed);
});

test('a 404 that is not of the store is an error, not a missing blob', async () => {
  server.fail(is('GET'), { status: 404, code: 'page not found' });
  await assert.rejects(blobs.get(here, newId()), (error) => error instanceof S3Failed && error.status === 404);
});

test('encrypts and decrypts blobs that are there', async () => {
  const [on, off] = [true, false].map((encrypt) => makeEncryptedBlobs(blobs, { keys, encrypt }));
  const content = Buffer.concat([Buffer.from('plain words'), large]);
  const id = await put(content);
  const hasWords = () => server.objects.get(keyOf(id))?.bytes.includes('plain words');
  assert.deepEqual([await on?.convert(here, id), await on?.convert(here, id), hasWords()], [true, false, false]);
  const stream = await on?.get(here, id);
  assert.ok(stream && content.equals(await buffer(stream)));
  assert.deepEqual([await off?.convert(here, id), hasWords()], [true, true]);
  assert.equal(await off?.convert(here, newId()), false);
});

test('replaces a blob whole, and does not bring one back that is deleted meanwhile', async () => {
  const id = await put(Buffer.from('first'));
  assert.equal(await blobs.replace(here, id, Readable.from([Buffer.from('second')])), true);
  assert.equal((await buffer(await blobs.get(here, id))).toString(), 'second');
  async function* deletesMeanwhile() {
    yield large;
    await blobs.delete(here, id);
  }
  assert.equal(await blobs.replace(here, id, deletesMeanwhile()), false);
  await assert.rejects(blobs.get(here, id), BlobMissing);
  assert.equal(server.uploads.size, 0);
});

test('never mixes two versions when a blob is replaced while it is read', async () => {
  const id = await put(large);
  const stream = await blobs.get(here, id);
  await blobs.replace(here, id, Readable.from([randomBytes(20_000_000)]));
  await assert.rejects(buffer(stream), /stored anew while it was read/);
});

test('removes abandoned uploads of its own prefix', async () => {
  const upload = (name: string, started: number, part?: number) =>
    server.uploads.set(name, {
      ...{ key: name, started: new Date(started) },
      parts: new Map(
        part === undefined ? [] : [[1, { bytes: Buffer.alloc(1), etag: '"x"', modified: new Date(part) }]],
      ),
    });
  const [abandoned, alive, foreign] = [keyOf(newId()), keyOf(newId()), `other/blobs/${newId()}/${newId()}`];
  upload(abandoned, 1);
  upload(alive, 1, Date.now());
  upload(foreign, 1);
  assert.equal(await blobs.removePartial(new Date(Date.now() - 3_600_000)), 1);
  assert.deepEqual([...server.uploads.keys()].sort(), [alive, foreign].sort());
  server.uploads.clear();
});

test('lists and deletes nothing outside of its own prefix', async () => {
  const near = await s3Server({ prefix: 'one/' });
  const [first, second] = ['one/', 'one/two/'].map((prefix) => makeS3Blobs({ ...near.place, prefix }, options));
  for (const store of [first, second]) await store?.put(here, newId(), Readable.from([Buffer.from('x')]), 10);
  near.objects.set('one/blobs/notes.txt', { bytes: Buffer.from('x'), etag: '"x"', modified: new Date(1) });
  const names: string[] = [];
  for await (const { id } of first?.list(new Date(Date.now() + 1000)) ?? []) names.push(id);
  assert.equal(names.length, 1);
  await first?.deleteWorkspace(here);
  assert.deepEqual([...near.objects.keys()].map((name) => name.split('/')[1]).sort(), ['blobs', 'two']);
});

test('no line of the log has the secret, the bucket or a name in it', async () => {
  server.fail(is('GET'), slowDown, { status: 403, code: 'AccessDenied' });
  await assert.rejects(blobs.get(here, newId()), S3Failed);
  const text = logged.join('');
  assert.match(text, /s3\.failed/);
  assert.match(text, /s3\.retry/);
  for (const word of [server.place.secret_access_key, server.place.access_key_id, server.place.bucket, here])
    assert.ok(!text.includes(word), word);
});
