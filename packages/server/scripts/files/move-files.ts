import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { runningServer } from '../../src/db/embedded/running-server.ts';
import { makeDiskBlobs } from '../../src/drivers/blobs/disk.ts';
import type { RawBlobStore } from '../../src/drivers/blobs/driver.ts';
import { makeS3Blobs } from '../../src/drivers/blobs/s3/s3-blobs.ts';
import { claimBucket, describeBucket, takeBucket } from '../../src/drivers/s3/claim-bucket.ts';
import type { S3Bucket } from '../../src/drivers/s3/driver.ts';
import { makeLog } from '../../src/lib/log.ts';
import { readInstallation } from '../read-installation.ts';
import { withDatabase } from '../with-database.ts';

type Place = Pick<Config, 'data_dir' | 'database_url' | 'database_direct_url' | 'blobs' | 'indexes'>;

/** `take-over` moves nothing: the buckets are given to this database, which took the place of another one. */
export const directions = ['to-bucket', 'to-disk', 'take-over'] as const;

/** Each blob is deleted once it is whole in its new place, so that a move that breaks off can be begun again. */
async function moveAll(from: RawBlobStore, to: RawBlobStore): Promise<number> {
  let moved = 0;
  for await (const { workspace_id, id } of from.list(new Date(8.64e15))) {
    const blob = await from.open(workspace_id, id);
    await to.write(workspace_id, id, blob.stream());
    const { size, close } = await to.open(workspace_id, id);
    await close();
    if (size !== blob.size) throw new Error(`${id} has ${size} bytes in its new place instead of ${blob.size}`);
    await from.delete(workspace_id, id);
    moved++;
  }
  return moved;
}

/** Removes what is left of a folder whose files were moved: empty folders, and files that were never whole. */
function removeEmptied(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeEmptied(path);
    else if (entry.name.endsWith('.part')) rmSync(path);
    else throw new Error(`${path} is still there. Is a process running that stores files in the data directory?`);
  }
  rmdirSync(folder);
}

const log = makeLog('silent');

async function requireOwner(bucket: S3Bucket, setting: string): Promise<void> {
  if ((await describeBucket(bucket, { log, setting })) !== 'owned')
    throw new Error(`Nothing was ever stored under this prefix by this program; check ${setting}`);
}

/** Gives the prefixes of files and indexes to an installation. */
async function takeOver({ blobs, indexes }: Place, installation: string): Promise<void> {
  const places = [
    { bucket: blobs, setting: 'ATRIUM_BLOBS' },
    { bucket: indexes, setting: 'ATRIUM_INDEXES' },
  ];
  for (const { bucket, setting } of places) if (bucket) await requireOwner(bucket, setting);
  for (const { bucket, setting } of places) if (bucket) await takeBucket(bucket, { log, setting }, installation);
}

/** Moves all files between the data directory and the bucket of ATRIUM_BLOBS. The program must not run meanwhile. */
export async function moveFiles(place: Place, direction: (typeof directions)[number]): Promise<number> {
  const { blobs: bucket, data_dir } = place;
  const isTakeOver = direction === 'take-over';
  if (!bucket && !(isTakeOver && place.indexes)) throw new Error('Set ATRIUM_BLOBS to the bucket, in both directions');
  if (place.database_url === undefined && runningServer(join(data_dir, 'postgres')))
    throw new Error('The program is running: stop it first');
  let moved = 0;
  await withDatabase(place, async (connection) => {
    const installation = await readInstallation(connection);
    if (isTakeOver || !bucket) return takeOver(place, installation);
    const folder = join(data_dir, 'blobs');
    const hasFolder = statSync(folder, { throwIfNoEntry: false }) !== undefined;
    // An owner's name in an empty prefix would let the program start without its files.
    if (direction === 'to-disk' || !hasFolder) await requireOwner(bucket, 'ATRIUM_BLOBS');
    await claimBucket(bucket, { log }, { installation });
    const [disk, s3] = [makeDiskBlobs(folder), makeS3Blobs(bucket, { log })];
    if (direction === 'to-disk') {
      moved = await moveAll(s3, disk);
      return;
    }
    moved = await moveAll(disk, s3);
    if (hasFolder) removeEmptied(folder);
  });
  return moved;
}
