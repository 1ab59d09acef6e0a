import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../../lib/error-code.ts';
import { newId } from '../../../../lib/ids.ts';
import { IndexMissing } from '../../driver.ts';
import type { IndexStorage } from '../index-storage.ts';
import { makeCloseFiles } from './close-files.ts';
import { copyIndex } from './copy-index.ts';

/** Indexes in a folder of this machine, or one that all processes mount. */
export function makeDiskStorage(root: string): IndexStorage {
  const dirOf = (path: string) => join(root, path);

  return {
    mayRepeat: false,

    // Another process may write what this one reads.
    connect: (lance, path) => lance.connect(dirOf(path), { readConsistencyInterval: 0 }),

    async prepare(path) {
      await mkdir(dirOf(path), { recursive: true, mode: 0o700 });
      await chmod(root, 0o700);
    },

    makeAfterWrite: (path) => makeCloseFiles(dirOf(path)),

    async readFile(path, name, known) {
      const file = join(dirOf(path), name);
      const facts = await stat(file).catch(() => undefined);
      if (!facts) return undefined;
      const version = `${facts.ino}-${facts.size}-${facts.mtimeMs}`;
      if (version === known) return 'unchanged';
      const bytes = await readFile(file).catch(() => undefined);
      return bytes && { bytes, version };
    },

    async writeFile(path, name, bytes) {
      const file = join(dirOf(path), name);
      const draft = `${file}.${newId()}`;
      try {
        await writeFile(draft, bytes, { mode: 0o600 });
        await rename(draft, file);
      } catch (error) {
        throw errorCode(error) === 'ENOENT' ? new IndexMissing(error) : error;
      }
    },

    removeFile: (path, name) => rm(join(dirOf(path), name), { force: true }),

    listNames: (folder) => readdir(dirOf(folder)).catch(() => []),

    copy: (from, to) => copyIndex(dirOf(from), dirOf(to)),

    // Retries, since a concurrent writer may add a file to a folder that was just emptied.
    remove: (path) => rm(dirOf(path), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),

    // What the engine can't read from a disk is damaged: it is rebuilt.
    explain: async (_path, error) => new IndexMissing(error),

    removePartial: async () => 0,
  };
}
