import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, unavailable } from '@atrium/contract/errors.ts';
import { errorCode } from '../../lib/error-code.ts';
import { BlobMissing, type BlobName, type BlobStore } from './driver.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const partial = '.part';

const codeOf = (error: unknown) => errorCode(error);

/** The only names that become part of a path; any other name is a bug of the caller. */
function checked(name: string): string {
  if (!uuid.test(name)) throw new Error('A blob is named by UUIDs');
  return name;
}

/** A new name in a directory is only safe once the directory itself is on the disk. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncDirectory(dirname(made));
}

/** A new file. Its directory is there nearly always, so that is only made when it is not. */
async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await makeDirectory(dirname(path));
    return open(path, 'wx', 0o600);
  }
}

/** Names in a directory; none when it is not (or no longer) there. */
async function* namesIn(path: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(path)) yield entry.name;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
  }
}

/** Files under one directory: `<root>/<workspace_id>/<2 characters>/<id>`, readable by this program's user alone. */
export function makeDiskBlobs(root: string): BlobStore {
  const folderOf = (workspace_id: string) => join(root, checked(workspace_id));
  // The last characters: the first ones of a UUIDv7 are its time, the same for years.
  const pathOf = (workspace_id: string, id: string) => join(folderOf(workspace_id), checked(id).slice(-2), id);

  async function* walk(before: Date): AsyncGenerator<BlobName & { path: string }> {
    for await (const workspace_id of namesIn(root)) {
      if (!uuid.test(workspace_id)) continue;
      for await (const part of namesIn(join(root, workspace_id)))
        for await (const id of namesIn(join(root, workspace_id, part))) {
          const path = join(root, workspace_id, part, id);
          const found = await stat(path).catch(() => undefined);
          if (found && found.mtimeMs < before.getTime()) yield { workspace_id, id, path };
        }
    }
  }

  return {
    async put(workspace_id, id, stream, limit) {
      const path = pathOf(workspace_id, id);
      const temporary = `${path}.${randomBytes(6).toString('hex')}${partial}`;
      const hash = createHash('sha256');
      let size = 0;
      try {
        const handle = await openNew(temporary);
        try {
          for await (const chunk of stream) {
            size += chunk.length;
            if (size > limit) throw new AppError('too_large', `A file may have at most ${limit} bytes`);
            hash.update(chunk);
            await handle.writeFile(chunk);
          }
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT')
          throw unavailable('There is no room left to keep this file', 'storage_full');
        throw error;
      }
      await syncDirectory(dirname(path));
      return { size, sha256: hash.digest('hex') };
    },

    async get(workspace_id, id, range) {
      const handle = await open(pathOf(workspace_id, id), 'r').catch((error: unknown) => {
        throw codeOf(error) === 'ENOENT' ? new BlobMissing() : error;
      });
      return handle.createReadStream(range ?? {});
    },

    delete: (workspace_id, id) => rm(pathOf(workspace_id, id), { force: true }),

    deleteWorkspace: (workspace_id) => rm(folderOf(workspace_id), { recursive: true, force: true, maxRetries: 3 }),

    async *list(before) {
      for await (const { workspace_id, id } of walk(before)) if (uuid.test(id)) yield { workspace_id, id };
    },

    async removePartial(before) {
      let removed = 0;
      for await (const { id, path } of walk(before))
        if (id.endsWith(partial)) {
          await rm(path, { force: true });
          removed++;
        }
      return removed;
    },
  };
}
