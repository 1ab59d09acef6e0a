import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
// @ts-expect-error The package has no types.
import S3rver from 's3rver';
import { claimBucket } from '../../src/drivers/s3/claim-bucket.ts';
import { makeLog } from '../../src/lib/log.ts';
import { testApp } from '../support/test-app.ts';

const directory = mkdtempSync(join(tmpdir(), 'atrium-s3rver-'));
const server = new S3rver({
  ...{ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'files' }] },
});
const { port } = (await server.run()) as { port: number };
after(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});
const place = {
  ...{ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', bucket: 'files', prefix: 'atrium/' },
  ...{ access_key_id: 'S3RVER', secret_access_key: 'S3RVER' },
};

test('refuses s3rver, which answers requests of files and ignores conditions', async () => {
  const claim = claimBucket(place, { log: makeLog('silent') }, { installation: 'a' });
  await assert.rejects(claim, /ATRIUM_BLOBS can't be used: it ignores If-None-Match/);
});

test('does not start with files or indexes in it', async () => {
  await assert.rejects(
    testApp({ blobs: { ...place, prefix: 'files/' } }),
    /ATRIUM_BLOBS can't be used: it ignores If-None-Match/,
  );
  await assert.rejects(
    testApp({ indexes: { ...place, prefix: 'indexes/' } }),
    /ATRIUM_INDEXES can't be used: it ignores If-None-Match/,
  );
});
