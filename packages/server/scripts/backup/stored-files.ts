import { createHmac } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { BlobMissing } from '../../src/drivers/blobs/driver.ts';
import type { S3Blobs } from '../../src/drivers/blobs/s3/s3.ts';
import { errorCode } from '../../src/lib/error-code.ts';
import type { BoxKey } from '../../src/lib/secrets/sealed-box.ts';
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

export const objectPath = (dir: string, object: string) => join(dir, 'objects', object.slice(0, 2), object);

/** A file that has not changed since an earlier backup has the same object. The names of files are not readable from it. */
const objectOf = (key: BoxKey, path: string, size: number, mtime_ms: number) =>
  createHmac('sha256', key.secret).update(`atrium backup object\0${path}\0${size}\0${mtime_ms}`).digest('hex');

/** A file as it is found: below the data directory, or in the bucket under the name it would have there. */
interface FoundFile {
  path: string;
  size: number;
  mtime_ms: number;
  mode: number;
  read(): Promise<AsyncIterable<Uint8Array>>;
}

const isGone = (error: unknown) => errorCode(error) === 'ENOENT' || error instanceof BlobMissing;

async function* findOnDisk(data_dir: string, folder: string): AsyncGenerator<FoundFile> {
  const root = join(data_dir, folder);
  if (!existsSync(root)) return;
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))) {
    const from = join(entry.parentPath, entry.name);
    const facts = await stat(from).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
    if (!facts) continue;
    const { size, mtimeMs: mtime_ms, mode } = facts;
    yield { path: from.slice(data_dir.length + 1), size, mtime_ms, mode, read: async () => createReadStream(from) };
  }
}

async function* findInBucket(blobs: S3Blobs): AsyncGenerator<FoundFile> {
  for await (const { workspace_id, id, size, modified } of blobs.listStored())
    yield {
      ...{ path: join('blobs', workspace_id, id.slice(-2), id), size, mtime_ms: modified.getTime(), mode: 0o600 },
      read: async () => (await blobs.open(workspace_id, id)).stream(),
    };
}

async function* findFiles(data_dir: string, blobs: S3Blobs | undefined): AsyncGenerator<FoundFile> {
  for (const folder of folders) yield* folder === 'blobs' && blobs ? findInBucket(blobs) : findOnDisk(data_dir, folder);
}

/** Adds the files that are there now to those of an earlier look; one that has gone since stays. */
export async function storeFiles(
  key: BoxKey,
  { data_dir, dir, blobs }: { data_dir: string; dir: string; blobs: S3Blobs | undefined },
  files: Map<string, StoredFile>,
): Promise<{ written: number }> {
  let written = 0;
  for await (const { path, size, mtime_ms, mode, read } of findFiles(data_dir, blobs)) {
    const object = objectOf(key, path, size, mtime_ms);
    if (files.get(path)?.object === object) continue;
    const target = objectPath(dir, object);
    try {
      if (!existsSync(target)) {
        await writeSealed(key, target, object, await read());
        written++;
      }
      files.set(path, { path, mtime_ms, mode: mode & 0o777, object });
    } catch (error) {
      // It was deleted meanwhile.
      if (!isGone(error)) throw error;
    }
  }
  return { written };
}

const blobPath = /^blobs\/([0-9a-f-]{36})\/[0-9a-f]{2}\/([0-9a-f-]{36})$/;

export async function restoreFile(
  key: BoxKey,
  { dir, data_dir, blobs }: { dir: string; data_dir: string; blobs: S3Blobs | undefined },
  file: StoredFile,
): Promise<void> {
  const target = normalize(join(data_dir, file.path));
  if (!folders.some((folder) => target.startsWith(join(data_dir, folder) + sep)))
    throw new Error(`The backup has a file outside of its folders: ${file.path}`);
  const bytes = readSealed(key, objectPath(dir, file.object), file.object);
  const [, workspace_id, id] = (blobs && blobPath.exec(file.path)) || [];
  if (blobs && workspace_id && id) return blobs.write(workspace_id, id, bytes);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await writeFile(target, bytes, { mode: file.mode, flag: 'wx' });
  await utimes(target, new Date(), new Date(file.mtime_ms));
}
