import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { findDatabaseId } from '../db/state/database-id.ts';
import { findStoragePlace, hasLiveWorker, noteStoragePlace } from '../db/state/storage-place.ts';
import { makeDiskBlobs } from '../drivers/blobs/disk.ts';
import type { RawBlobStore } from '../drivers/blobs/driver.ts';
import { makeS3Blobs } from '../drivers/blobs/s3/s3-blobs.ts';
import { claimBucket } from '../drivers/s3/claim-bucket.ts';
import type { Log } from '../lib/log.ts';

const blobFolder = (data_dir: string) => join(data_dir, 'blobs');

const hasEntries = (folder: string) => existsSync(folder) && readdirSync(folder).length > 0;

/** Files on the disk beside a bucket are of the time before it, or of a restored copy whose bucket another one uses. */
function requireEmptyFolder(folder: string): void {
  if (hasEntries(folder))
    throw new Error(
      `ATRIUM_BLOBS names a bucket, but there are files in ${folder}. Stop all processes and move them with \`npm run move-files\``,
    );
}

/** A process without the setting of the others would store files where they do not find them. */
async function requireFilesHere(folder: string, { db, hasFiles }: BlobNeeds): Promise<void> {
  const wasInBucket = (await findStoragePlace(db, 'files')) === 's3' && !hasEntries(folder);
  if (wasInBucket && ((await hasFiles()) || (await hasLiveWorker(db))))
    throw new Error(
      'The files of this database are in a bucket: set ATRIUM_BLOBS as the other processes do, or move them with `npm run move-files -- to-disk`',
    );
  await noteStoragePlace(db, 'files', 'disk');
}

interface BlobNeeds {
  log: Log;
  db: Db;
  hasFiles(): Promise<boolean>;
}

/** The store of files: the bucket of ATRIUM_BLOBS once it is checked, or the data directory. */
export async function openBlobs(
  { blobs: bucket, data_dir }: Pick<Config, 'blobs' | 'data_dir'>,
  needs: BlobNeeds,
): Promise<RawBlobStore> {
  const { log, db, hasFiles } = needs;
  const folder = blobFolder(data_dir);
  if (!bucket) {
    await requireFilesHere(folder, needs);
    return makeDiskBlobs(folder);
  }
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
  await noteStoragePlace(db, 'files', 's3');
  log.info('blobs.s3');
  return makeS3Blobs(bucket, { log });
}
