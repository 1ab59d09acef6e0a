import { resolve } from 'node:path';
import type { Config } from '../../../src/config.ts';
import { requireUnowned } from '../../../src/drivers/s3/claim-bucket.ts';
import type { S3Bucket } from '../../../src/drivers/s3/driver.ts';
import { makeLog } from '../../../src/lib/log.ts';
import type { BackupFolder } from './backup-folder.ts';
import { makeDiskFolder } from './disk-folder.ts';
import { makeS3Folder } from './s3-folder.ts';

export type BackupTargets = Pick<Config, 'blobs' | 'indexes' | 'findBackupBucket'>;

const overlap = (one: S3Bucket, other: S3Bucket | undefined) =>
  other !== undefined &&
  one.endpoint === other.endpoint &&
  one.bucket === other.bucket &&
  (one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix));

/** The folder of a disk, or the prefix of a bucket, that backups are written to and read from. */
export async function openBackupFolder(config: BackupTargets, target: string): Promise<BackupFolder> {
  const bucket = config.findBackupBucket(target);
  if (!bucket) return makeDiskFolder(resolve(target));
  if (overlap(bucket, config.blobs) || overlap(bucket, config.indexes))
    throw new Error('Backups can not be in the prefix of ATRIUM_BLOBS or ATRIUM_INDEXES; name another one');
  const options = { log: makeLog('silent'), setting: 'the backups' };
  await requireUnowned(bucket, options);
  return makeS3Folder(bucket, options);
}
