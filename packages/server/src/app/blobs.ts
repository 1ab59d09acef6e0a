import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { findDatabaseId } from '../db/state/database-id.ts';
import { makeDiskBlobs } from '../drivers/blobs/disk.ts';
import type { RawBlobStore } from '../drivers/blobs/driver.ts';
import { claimBucket } from '../drivers/blobs/s3/claim-bucket.ts';
import { makeS3Blobs } from '../drivers/blobs/s3/s3.ts';
import type { Log } from '../lib/log.ts';

const blobFolder = (data_dir: string) => join(data_dir, 'blobs');

/** Files on the disk beside a bucket are of the time before it, or of a restored copy whose bucket another one uses. */
function requireEmptyFolder(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(
      `ATRIUM_BLOBS names a bucket, but there are files in ${folder}. Stop all processes and move them with \`npm run move-files\``,
    );
}

/** The store of files: the bucket of ATRIUM_BLOBS once it is checked, or the data directory. */
export async function openBlobs(
  { blobs: bucket, data_dir }: Pick<Config, 'blobs' | 'data_dir'>,
  { log, db, hasFiles }: { log: Log; db: Db; hasFiles(): Promise<boolean> },
): Promise<RawBlobStore> {
  const folder = blobFolder(data_dir);
  if (!bucket) return makeDiskBlobs(folder);
  requireEmptyFolder(folder);
  const objection =
    'it is empty, but the database knows files; check the prefix, or move them with `npm run move-files`';
  await claimBucket(
    bucket,
    { log },
    {
      installation: await findDatabaseId(db),
      mayCreate: async () => ((await hasFiles()) ? objection : undefined),
    },
  );
  log.info('blobs.s3', { indexes: 'data directory', sandboxes: 'data directory' });
  return makeS3Blobs(bucket, { log });
}
