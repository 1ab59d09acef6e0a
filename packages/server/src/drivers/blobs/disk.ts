import { randomBytes } from 'node:crypto';
import { access, type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unavailable } from '@atrium/contract/errors.ts';
import { errorCode } from '../../lib/error-code.ts';
import { checkedName, isBlobName } from './checked-name.ts';
import { BlobMissing, type BlobName, type RawBlobStore } from './driver.ts';
import { measureBlob } from './measure-blob.ts';
import { openDiskBlob } from './open-disk-blob.ts';

const partial = '.part';

const codeOf = (error: unknown) => errorCode(error);

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
export function makeDiskBlobs(root: string): RawBlobStore {
  const folderOf = (workspace_id: string) => join(root, checkedName(workspace_id));
  // The last characters: the first ones of a UUIDv7 are its time, the same for years.
  const pathOf = (workspace_id: string, id: string) => join(folderOf(workspace_id), checkedName(id).slice(-2), id);

  async function* walk(before: Date): AsyncGenerator<BlobName & { path: string }> {
    for await (const workspace_id of namesIn(root)) {
      if (!isBlobName(workspace_id)) continue;
      for await (const part of namesIn(join(root, workspace_id)))
        for await (const id of namesIn(join(root, workspace_id, part))) {
          const path = join(root, workspace_id, part, id);
          const found = await stat(path).catch(() => undefined);
          if (found && found.mtimeMs < before.getTime()) yield { workspace_id, id, path };
        }
    }
  }

  /** Writes a file beside its place and moves it there when it is whole and on the disk. */
  async function write(
    path: string,
    stream: AsyncIterable<Uint8Array>,
    { open: openTemporary, before }: { open(path: string): Promise<FileHandle>; before?(): Promise<void> },
  ): Promise<void> {
    const temporary = `${path}.${randomBytes(6).toString('hex')}${partial}`;
    try {
      const handle = await openTemporary(temporary);
      try {
        for await (const chunk of stream) await handle.writeFile(chunk);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await before?.();
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT')
        throw unavailable('There is no room left to keep this file', 'storage_full');
      throw error;
    }
    await syncDirectory(dirname(path));
  }

  async function openBlob(workspace_id: string, id: string): Promise<FileHandle> {
    return open(pathOf(workspace_id, id), 'r').catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? new BlobMissing() : error;
    });
  }

  return {
    async put(workspace_id, id, stream, limit) {
      const measured = measureBlob(stream, limit);
      await write(pathOf(workspace_id, id), measured.stream, { open: openNew });
      return measured.result();
    },

    write: (workspace_id, id, stream) => write(pathOf(workspace_id, id), stream, { open: openNew }),

    get: async (workspace_id, id, range) => (await openBlob(workspace_id, id)).createReadStream(range ?? {}),

    open: async (workspace_id, id) => openDiskBlob(await openBlob(workspace_id, id)),

    async replace(workspace_id, id, stream) {
      const path = pathOf(workspace_id, id);
      try {
        // The folder is not made: a workspace that is deleted meanwhile must not come back.
        await write(path, stream, { open: (temporary) => open(temporary, 'wx', 0o600), before: () => access(path) });
        return true;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      }
    },

    delete: (workspace_id, id) => rm(pathOf(workspace_id, id), { force: true }),

    deleteWorkspace: (workspace_id) => rm(folderOf(workspace_id), { recursive: true, force: true, maxRetries: 3 }),

    async *list(before) {
      for await (const { workspace_id, id } of walk(before)) if (isBlobName(id)) yield { workspace_id, id };
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
