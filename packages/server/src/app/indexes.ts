import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { findDatabaseId } from '../db/state/database-id.ts';
import { findStoragePlace, hasLiveWorker, noteStoragePlace } from '../db/state/storage-place.ts';
import { claimBucket } from '../drivers/s3/claim-bucket.ts';
import type { RetrievalIndex } from '../drivers/search-index/driver.ts';
import { makeDiskStorage } from '../drivers/search-index/lancedb/disk/disk-storage.ts';
import { makeLanceIndex } from '../drivers/search-index/lancedb/lance-index.ts';
import { makeS3Storage } from '../drivers/search-index/lancedb/s3/s3-storage.ts';
import type { Log } from '../lib/log.ts';

interface IndexNeeds {
  log: Log;
  db: Db;
  /** No other process has this database. */
  alone: boolean;
}

/** Processes that look for indexes in two places would rebuild each other's without end. */
async function requireOnePlace({ db, alone }: IndexNeeds, place: 'disk' | 's3'): Promise<void> {
  const before = await findStoragePlace(db, 'indexes');
  if (before !== undefined && before !== place && !alone && (await hasLiveWorker(db)))
    throw new Error(
      `Other processes have their indexes ${before === 's3' ? 'in a bucket' : 'in the data directory'}: set ATRIUM_INDEXES as they do, or stop all of them first. Indexes are built anew in their new place`,
    );
  await noteStoragePlace(db, 'indexes', place);
}

/** The index of knowledge bases: in the bucket of ATRIUM_INDEXES once it is checked, or in the data directory. */
export async function openIndex(
  { indexes: bucket, data_dir }: Pick<Config, 'indexes' | 'data_dir'>,
  needs: IndexNeeds,
): Promise<RetrievalIndex> {
  if (!bucket) {
    await requireOnePlace(needs, 'disk');
    return makeLanceIndex(makeDiskStorage(join(data_dir, 'indexes')));
  }
  const { log, db } = needs;
  const options = { log, setting: 'ATRIUM_INDEXES' };
  await claimBucket(bucket, options, { installation: await findDatabaseId(db) });
  await requireOnePlace(needs, 's3');
  log.info('indexes.s3');
  return makeLanceIndex(makeS3Storage(bucket, options));
}
