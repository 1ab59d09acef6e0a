import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileFindings } from '../../../scripts/doctor-files.ts';
import { type S3Server, s3Server } from '../../../test/support/s3/s3-server.ts';
import { newId } from '../../lib/ids.ts';
import { makeLog } from '../../lib/log.ts';
import { claimBucket, requireFreeBucket, takeBucket } from './claim-bucket.ts';
import type { S3Bucket } from './driver.ts';

const options = { log: makeLog('silent'), wait_ms: 2, timeout_ms: 300, attempts: 2 };
const [own, other] = [newId(), newId()];
const claim = (place: S3Bucket, installation = own, objection?: string) =>
  claimBucket(place, options, { installation, mayCreate: async () => objection });
const refused = (place: S3Bucket, reason: RegExp, installation = own, objection?: string) =>
  assert.rejects(claim(place, installation, objection), (error: Error) => {
    assert.match(error.message, reason);
    assert.ok(!error.message.includes(place.secret_access_key) && !error.message.includes(place.endpoint));
    return true;
  });
const names = ({ objects }: S3Server) => [...objects.keys()];

test('takes an empty prefix, takes it again at the next start, and leaves only the owner there', async () => {
  const server = await s3Server({ prefix: 'atrium/' });
  await claim(server.place);
  await claim(server.place, own, 'not asked again');
  assert.deepEqual(names(server), ['atrium/owner.json']);
});

test('lets several processes of one installation start at once on an empty prefix', async () => {
  const server = await s3Server({ prefix: 'atrium/' });
  await Promise.all([1, 2, 3, 4].map(() => claim(server.place)));
  assert.deepEqual(names(server), ['atrium/owner.json']);
});

test('lets exactly one of two installations have a prefix when both start at once', async () => {
  const server = await s3Server();
  const ends = await Promise.allSettled([claim(server.place, own), claim(server.place, other)]);
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await refused(server.place, /those of another database/, newId());
});

test('refuses a prefix where objects of something else are', async () => {
  const server = await s3Server({ prefix: 'shared/' });
  server.objects.set('shared/report.pdf', { bytes: Buffer.from('x'), etag: '"x"', modified: new Date() });
  await refused(server.place, /has objects, and no owner/);
  assert.deepEqual(names(server), ['shared/report.pdf']);
});

test('refuses to begin when the program objects', async () => {
  const server = await s3Server();
  await refused(server.place, /the files are elsewhere/, own, 'the files are elsewhere');
  assert.deepEqual(names(server), []);
});

test('gives a prefix to the database that takes the place of another one', async () => {
  const server = await s3Server({ prefix: 'atrium/' });
  await claim(server.place, other);
  await refused(server.place, /npm run move-files -- take-over/);
  await takeBucket(server.place, options, own);
  await claim(server.place);
  await refused(server.place, /those of another database/, other);
});

test('knows a prefix that is free from one with an owner or objects', async () => {
  const server = await s3Server({ prefix: 'atrium/' });
  await requireFreeBucket(server.place, options);
  await claim(server.place);
  await assert.rejects(requireFreeBucket(server.place, options), /not empty/);
});

test('the doctor says what a bucket has or why it does not answer, and writes nothing', async () => {
  const server = await s3Server({ prefix: 'atrium/' });
  const say = async (blobs: S3Bucket) => (await fileFindings({ blobs, indexes: undefined, data_dir: '/data' })).join();
  assert.match(await say(server.place), /it is empty/);
  assert.equal(server.objects.size, 0);
  await claim(server.place);
  assert.match(await say(server.place), /has an owner/);
  const wrong = await say({ ...server.place, secret_access_key: 'not-the-secret' });
  assert.match(wrong, /SignatureDoesNotMatch/);
  assert.ok(!wrong.includes('not-the-secret'));
});

for (const [nature, reason] of [
  ['ignoresConditions', /ignores If-None-Match/],
  ['ignoresRanges', /range bytes=0-0/],
  ['keepsDeleted', /keeps objects that are deleted/],
] as const)
  test(`refuses a store that ${nature}`, async () => {
    const server = await s3Server();
    server.nature[nature] = true;
    await refused(server.place, reason);
  });

test('says what to look at when the store refuses or does not answer', async () => {
  const server = await s3Server();
  const { place } = server;
  await refused({ ...place, secret_access_key: 'wrong' }, /SignatureDoesNotMatch; check ATRIUM_S3_SECRET_ACCESS_KEY/);
  await refused({ ...place, access_key_id: 'wrong' }, /InvalidAccessKeyId; check ATRIUM_S3_ACCESS_KEY_ID/);
  await refused({ ...place, bucket: 'nowhere' }, /NoSuchBucket; create the bucket/);
  await refused({ ...place, endpoint: 'http://127.0.0.1:1' }, /does not answer \(ECONNREFUSED\)/);
  server.fail(({ method }) => method === 'DELETE', { status: 403, code: 'AccessDenied' });
  await refused(place, /AccessDenied; the key must be allowed to read, write, delete and list/);
});
