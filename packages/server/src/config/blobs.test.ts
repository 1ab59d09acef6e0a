import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../config.ts';

const keys = { ATRIUM_S3_ACCESS_KEY_ID: 'id', ATRIUM_S3_SECRET_ACCESS_KEY: 'a-secret-value' };
const read = (env: Record<string, string>) => loadConfig({ ...keys, ...env }).blobs;

test('files are on the disk when no bucket is named', () => {
  assert.equal(read({}), undefined);
});

test('reads the bucket, its prefix and where the store is', () => {
  assert.deepEqual(read({ ATRIUM_BLOBS: 's3://files.corp/atrium/one', ATRIUM_S3_ENDPOINT: 'https://s3.corp:9000/' }), {
    ...{ endpoint: 'https://s3.corp:9000', region: 'us-east-1', bucket: 'files.corp', prefix: 'atrium/one/' },
    ...{ access_key_id: 'id', secret_access_key: 'a-secret-value' },
  });
  assert.partialDeepStrictEqual(read({ ATRIUM_BLOBS: 's3://files/', ATRIUM_S3_REGION: 'eu-central-1' }), {
    ...{ endpoint: 'https://s3.eu-central-1.amazonaws.com', bucket: 'files', prefix: '' },
  });
});

test('refuses other addresses, a bucket without a key, and never shows the key', () => {
  const hidden = (env: Record<string, string>, reason: RegExp) =>
    assert.throws(
      () => read(env),
      (error: Error) => reason.test(error.message) && !error.message.includes('a-secret-value'),
    );
  for (const address of ['files', 'http://files', 's3://', 's3://Files', 's3://files/a b', 's3://files//x'])
    hidden({ ATRIUM_BLOBS: address }, /ATRIUM_BLOBS must be s3:\/\/bucket/);
  hidden({ ATRIUM_BLOBS: 's3://files', ATRIUM_S3_ACCESS_KEY_ID: '' }, /needs ATRIUM_S3_ACCESS_KEY_ID/);
  hidden({ ATRIUM_BLOBS: 's3://files', ATRIUM_S3_ENDPOINT: 'https://s3.corp/path' }, /without a path/);
});

test('reads the bucket of indexes, with the keys of the same store', () => {
  const { indexes } = loadConfig({ ...keys, ATRIUM_INDEXES: 's3://files/atrium' });
  assert.partialDeepStrictEqual(indexes, { bucket: 'files', prefix: 'atrium/', access_key_id: 'id' });
  assert.equal(loadConfig(keys).indexes, undefined);
  assert.throws(() => loadConfig({ ATRIUM_INDEXES: 's3://files' }), /ATRIUM_INDEXES needs ATRIUM_S3_ACCESS_KEY_ID/);
  const withToken = { ...keys, ATRIUM_INDEXES: 's3://files', AWS_SESSION_TOKEN: 'x' };
  assert.throws(() => loadConfig(withToken), /AWS_SESSION_TOKEN in the environment/);
});

test('backups have a store of their own where one is set', () => {
  const find = (env: Record<string, string>, target: string) =>
    loadConfig({ ...keys, ...env }).findBackupBucket(target);
  assert.equal(find({}, '/mnt/backups'), undefined);
  assert.partialDeepStrictEqual(find({}, 's3://kept/atrium'), {
    bucket: 'kept',
    prefix: 'atrium/',
    access_key_id: 'id',
  });
  const own = { ATRIUM_BACKUP_S3_ENDPOINT: 'https://far.corp', ATRIUM_BACKUP_S3_ACCESS_KEY_ID: 'other' };
  assert.partialDeepStrictEqual(find(own, 's3://kept'), { endpoint: 'https://far.corp', access_key_id: 'other' });
  assert.throws(() => find({}, 's3://'), /named s3:\/\/bucket/);
});
