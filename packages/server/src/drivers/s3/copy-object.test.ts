import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { s3Server } from '../../../test/support/s3/s3-server.ts';
import { makeLog } from '../../lib/log.ts';
import { copyObject } from './copy-object.ts';
import { listFolders } from './list-objects.ts';
import { makeS3Client } from './s3-client.ts';
import { isMissing, S3Failed } from './s3-failed.ts';

const server = await s3Server();
const client = makeS3Client(server.place, { log: makeLog('silent'), wait_ms: 2, attempts: 3 });
const store = (key: string, bytes: Buffer) => server.objects.set(key, { bytes, etag: '"first"', modified: new Date() });
const bytesOf = (key: string) => server.objects.get(key)?.bytes;
const part = 5 * 1024 * 1024;

test('copies an object within the bucket, also when its name has signs to escape', async () => {
  store('a b/ü+1', Buffer.from('copied'));
  await copyObject(client, 'a b/ü+1', 'to', 6);
  assert.equal(bytesOf('to')?.toString(), 'copied');
});

test('copies an object that is too large for one request in parts', async () => {
  const bytes = randomBytes(2 * part + 100);
  store('large', bytes);
  server.fail(({ query }) => query.get('partNumber') === '2', { status: 500 }, 'lost');
  await copyObject(client, 'large', 'whole', bytes.length, part);
  assert.ok(bytesOf('whole')?.equals(bytes));
  assert.equal(server.uploads.size, 0);
});

test('leaves nothing behind when an object is gone, or the store fails', async () => {
  await assert.rejects(copyObject(client, 'none', 'to-none', 5), isMissing);
  await assert.rejects(copyObject(client, 'none', 'to-none', 2 * part, part), isMissing);
  server.fail(({ query }) => query.get('partNumber') === '1', ...Array(3).fill({ status: 503 }));
  await assert.rejects(copyObject(client, 'large', 'to-none', 2 * part + 100, part), S3Failed);
  assert.equal(bytesOf('to-none'), undefined);
  assert.equal(server.uploads.size, 0);
});

test('lists the names between a prefix and the next slash, over several pages', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    for (const file of ['1', '2']) store(`in/${name}/${file}`, Buffer.from('x'));
  store('in/file', Buffer.from('x'));
  store('into/f/1', Buffer.from('x'));
  assert.deepEqual(await listFolders(client, 'in/'), ['a', 'b', 'c', 'd', 'e']);
});
