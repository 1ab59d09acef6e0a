import type { Config } from '../src/config.ts';
import { describeBucket } from '../src/drivers/s3/claim-bucket.ts';
import type { S3Bucket } from '../src/drivers/s3/driver.ts';
import { makeLog } from '../src/lib/log.ts';

const states = {
  free: 'it is empty, and the next start takes it',
  owned: 'it answers and has an owner; the next start checks whether that is this database',
  foreign: 'it has objects and no owner: name another prefix',
};

async function bucketFinding(bucket: S3Bucket, setting: string): Promise<string> {
  try {
    const options = { log: makeLog('silent'), setting, attempts: 2, timeout_ms: 5000 };
    return `in the bucket ${bucket.bucket}: ${states[await describeBucket(bucket, options)]}`;
  } catch (error) {
    return `in the bucket ${bucket.bucket}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Where files and indexes are, and whether their buckets answer. Writes nothing; no secret is shown. */
export async function fileFindings({
  blobs,
  indexes,
  data_dir,
}: Pick<Config, 'blobs' | 'indexes' | 'data_dir'>): Promise<string[]> {
  const onDisk = `in the data directory ${data_dir}`;
  const files = blobs ? await bucketFinding(blobs, 'ATRIUM_BLOBS') : onDisk;
  return [`files: ${files}`, `indexes: ${indexes ? await bucketFinding(indexes, 'ATRIUM_INDEXES') : onDisk}`];
}
