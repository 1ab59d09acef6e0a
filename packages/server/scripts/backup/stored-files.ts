import { createHmac } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { BlobMissing } from '../../src/drivers/blobs/driver.ts';
import type { S3Blobs } from '../../src/drivers/blobs/s3/s3-blobs.ts';
import type { BoxKey } from '../../src/lib/secrets/sealed-box.ts';
import { type FoundFile, findOnDisk } from './find-on-disk.ts';
import type { BackupFolder } from './folder/backup-folder.ts';
import { readSealed, writeSealed } from './sealed-files.ts';

/** The folders of the data directory that a backup has besides the database. Indexes are built anew from it. */
const folders = ['blobs', 'sandboxes'];

export interface StoredFile {
  /** Below the data directory. */
  path: string;
  mtime_ms: number;
  mode: number;
  /** Where the bytes are in the folder of backups. */
  object: string;
}

const objectPlace = (folder: BackupFolder, object: string) => ({
  ...{ folder, path: `objects/${object.slice(0, 2)}/${object}`, name: object },
});

/** A file that has not changed since an earlier backup has the same object. The names of files are not readable from it. */
const objectOf = (key: BoxKey, path: string, size: number, mtime_ms: number) =>
  createHmac('sha256', key.secret).update(`atrium backup object\0${path}\0${size}\0${mtime_ms}`).digest('hex');

async function* findInBucket(blobs: S3Blobs): AsyncGenerator<FoundFile> {
  for await (const { workspace_id, id, size, modified } of blobs.listStored())
    yield {
      ...{ path: join('blobs', workspace_id, id.slice(-2), id), size, mtime_ms: modified.getTime(), mode: 0o600 },
      async read(write) {
        try {
          await write((await blobs.open(workspace_id, id)).stream());
          return true;
        } catch (error) {
          if (error instanceof BlobMissing) return false;
          throw error;
        }
      },
    };
}

async function* findFiles({ data_dir, blobs }: FilePlaces, leftOut: Set<string>): AsyncGenerator<FoundFile> {
  for (const folder of folders)
    if (folder === 'blobs' && blobs) yield* findInBucket(blobs);
    else yield* findOnDisk(data_dir, folder, (path) => leftOut.add(path));
}

/**
 * Code in a sandbox can replace a file by a directory between two looks. A restore can't write both, so what the last
 * look found counts.
 */
function dropReplaced(files: Map<string, StoredFile>, seen: ReadonlySet<string>): void {
  for (const path of files.keys())
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = path.slice(0, end);
      if (files.has(above)) files.delete(seen.has(path) ? above : path);
    }
}

interface FilePlaces {
  data_dir: string;
  /** Where backups are. */
  folder: BackupFolder;
  /** The bucket of files; undefined when they are in the data directory. */
  blobs: S3Blobs | undefined;
}

/**
 * Adds the files that are there now to those of an earlier look; one that has gone since stays. Adds what can't be read
 * in sandboxes to `leftOut`.
 */
export async function storeFiles(
  key: BoxKey,
  places: FilePlaces,
  files: Map<string, StoredFile>,
  leftOut: Set<string>,
): Promise<{ written: number }> {
  const { folder } = places;
  const seen = new Set<string>();
  let written = 0;
  for await (const { path, size, mtime_ms, mode, read } of findFiles(places, leftOut)) {
    const object = objectOf(key, path, size, mtime_ms);
    const place = objectPlace(folder, object);
    if (files.get(path)?.object !== object && !(await folder.has(place.path))) {
      if (!(await read((bytes) => writeSealed(key, place, bytes)))) continue;
      written++;
    }
    seen.add(path);
    files.set(path, { path, mtime_ms, mode: mode & 0o777, object });
  }
  dropReplaced(files, seen);
  return { written };
}

const blobPath = /^blobs\/([0-9a-f-]{36})\/[0-9a-f]{2}\/([0-9a-f-]{36})$/;

export async function restoreFile(
  key: BoxKey,
  { folder, data_dir, blobs }: FilePlaces,
  file: StoredFile,
): Promise<void> {
  const target = normalize(join(data_dir, file.path));
  if (!folders.some((own) => target.startsWith(join(data_dir, own) + sep)))
    throw new Error(`The backup has a file outside of its folders: ${file.path}`);
  const bytes = readSealed(key, objectPlace(folder, file.object));
  const [, workspace_id, id] = (blobs && blobPath.exec(file.path)) || [];
  if (blobs && workspace_id && id) return blobs.write(workspace_id, id, bytes);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await writeFile(target, bytes, { mode: file.mode, flag: 'wx' });
  await utimes(target, new Date(), new Date(file.mtime_ms));
}
