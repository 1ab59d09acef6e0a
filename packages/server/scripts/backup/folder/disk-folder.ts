import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BackupFolder } from './backup-folder.ts';

export function makeDiskFolder(dir: string): BackupFolder {
  const fileOf = (path: string) => join(dir, path);

  return {
    name: dir,
    has: async (path) => existsSync(fileOf(path)),
    read: async (path) => (existsSync(fileOf(path)) ? readFile(fileOf(path)) : undefined),

    async create(path, bytes) {
      await mkdir(dirname(fileOf(path)), { recursive: true, mode: 0o700 });
      await writeFile(fileOf(path), bytes, { mode: 0o600, flag: 'wx' });
    },

    async write(path, stream) {
      const target = fileOf(path);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const draft = `${target}.${randomBytes(4).toString('hex')}.part`;
      const file = await open(draft, 'wx', 0o600);
      try {
        for await (const bytes of stream) await file.writeFile(bytes);
        await file.sync();
        await rename(draft, target);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    },

    async open(path) {
      const { size } = await stat(fileOf(path));
      return {
        size,
        async head(length) {
          const file = await open(fileOf(path), 'r');
          const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
          await file.close();
          return buffer.subarray(0, bytesRead);
        },
        stream: (range) => createReadStream(fileOf(path), range ?? {}),
        close: async () => {},
      };
    },

    async listFolders() {
      const entries = await readdir(dir, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
  };
}
