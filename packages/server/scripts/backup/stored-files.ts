import { createHmac } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
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

async function listFiles(data_dir: string, folder: string): Promise<string[]> {
  const root = join(data_dir, folder);
  if (!existsSync(root)) return [];
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    .map((entry) => join(entry.parentPath, entry.name).slice(data_dir.length + 1));
}

/** Adds the files that are there now to those of an earlier look; one that has gone since stays. */
export async function storeFiles(
  key: BoxKey,
  { data_dir, dir }: { data_dir: string; dir: string },
  files: Map<string, StoredFile>,
): Promise<{ written: number }> {
  let written = 0;
  for (const folder of folders)
    for (const path of await listFiles(data_dir, folder)) {
      const from = join(data_dir, path);
      try {
        const { size, mtimeMs: mtime_ms, mode } = await stat(from);
        const object = objectOf(key, path, size, mtime_ms);
        if (files.get(path)?.object === object) continue;
        const target = objectPath(dir, object);
        if (!existsSync(target)) {
          await writeSealed(key, target, object, createReadStream(from));
          written++;
        }
        files.set(path, { path, mtime_ms, mode: mode & 0o777, object });
      } catch (error) {
        // It was deleted meanwhile.
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    }
  return { written };
}

export async function restoreFile(key: BoxKey, dir: string, data_dir: string, file: StoredFile): Promise<void> {
  const target = normalize(join(data_dir, file.path));
  if (!folders.some((folder) => target.startsWith(join(data_dir, folder) + sep)))
    throw new Error(`The backup has a file outside of its folders: ${file.path}`);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const bytes = readSealed(key, objectPath(dir, file.object), file.object);
  await writeFile(target, bytes, { mode: file.mode, flag: 'wx' });
  await utimes(target, new Date(), new Date(file.mtime_ms));
}
