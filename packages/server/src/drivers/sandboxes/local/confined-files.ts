import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, rename, unlink } from 'node:fs/promises';
import { errorCode } from '../../../lib/error-code.ts';
import { type Entry, SandboxFileRefused, SandboxGone } from '../driver.ts';
import { at, type Held, inDirectory, itself, namesOf, openAt, openDirectoryAt } from './open-directory.ts';
import { removeTree } from './remove-tree.ts';

const missing = () => new SandboxFileRefused('missing', 'there is no such file or directory');
const notAFile = () => new SandboxFileRefused('not_a_file', 'it is not a plain file');

const refusals: Record<string, () => Error> = {
  ENOENT: missing,
  // O_NOFOLLOW met a link, or a name on the way is not a directory.
  ELOOP: () => new SandboxFileRefused('bad_path', 'it leads through a link'),
  ENOTDIR: () => new SandboxFileRefused('not_a_directory', 'it is not a directory'),
  ENXIO: notAFile,
  EISDIR: notAFile,
  ENOTEMPTY: notAFile,
  EEXIST: notAFile,
  EACCES: () => new SandboxFileRefused('bad_path', 'it can not be opened'),
  ENAMETOOLONG: () => new SandboxFileRefused('bad_path', 'the path is too long'),
  ENOSPC: () => new SandboxFileRefused('full', 'there is no room left for it'),
  EDQUOT: () => new SandboxFileRefused('full', 'there is no room left for it'),
};

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw refusals[String(errorCode(error))]?.() ?? error;
  }
}

const typeOf = (stats: Stats): Entry['type'] => {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
};

const entryOf = (path: string, stats: Stats): Entry => ({
  path,
  type: typeOf(stats),
  size: stats.isFile() ? stats.size : 0,
  modified_at: stats.mtime,
});

async function* contentOf(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  try {
    // Bytes that are added while the file is read are not returned.
    for (let position = 0; position < size; ) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(65_536), 0, 65_536, position);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, Math.min(bytesRead, size - position));
      position += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** Makes the directory if needed, and gives it to the owner of the sandbox's files. */
const makeAt = (owner: number | undefined) => async (directory: Held, name: string) => {
  const made = await mkdir(at(directory, name), 0o755).then(
    () => true,
    (error) => {
      if (errorCode(error) !== 'EEXIST') throw error;
      return false;
    },
  );
  const held = await openDirectoryAt(directory, name);
  if (made && owner !== undefined) await held.handle.chown(owner, owner);
  return held;
};

/**
 * The files below one directory, which hostile code may change at the same time. `owner`: the uid of new files, when
 * the sandbox runs as another user.
 */
export const confinedFiles = {
  list: (root: string, path: string): Promise<Entry[]> =>
    told(
      inDirectory(root, namesOf(path), async (directory) => {
        const above = namesOf(path).map((name) => `${name}/`);
        const entries: Entry[] = [];
        for (const name of (await readdir(itself(directory))).sort()) {
          const stats = await lstat(at(directory, name)).catch(() => undefined);
          if (stats) entries.push(entryOf(`${above.join('')}${name}`, stats));
        }
        return entries;
      }),
    ),

  async read(root: string, path: string, max_bytes: number): Promise<AsyncIterable<Uint8Array>> {
    const names = namesOf(path);
    const name = names.pop();
    if (name === undefined) throw notAFile();
    const handle = await told(inDirectory(root, names, (directory) => openAt(directory, name, constants.O_RDONLY)));
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw notAFile();
      if (stats.size > max_bytes) throw new SandboxFileRefused('too_large', `it has more than ${max_bytes} bytes`);
      return contentOf(handle, stats.size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  },

  /** Writes a temporary file and renames it: readers see the old content or the new one, and no link is followed. */
  async write(root: string, path: string, content: Uint8Array, owner?: number): Promise<Entry> {
    const names = namesOf(path);
    const name = names.pop();
    if (name === undefined) throw notAFile();
    const write = async (directory: Held) => {
      const draft = `.${randomBytes(9).toString('base64url')}.part`;
      const { O_WRONLY, O_CREAT, O_EXCL } = constants;
      const handle = await openAt(directory, draft, O_WRONLY | O_CREAT | O_EXCL, 0o644);
      try {
        await handle.writeFile(content);
        if (owner !== undefined) await handle.chown(owner, owner);
        const stats = await handle.stat();
        await rename(at(directory, draft), at(directory, name));
        return entryOf([...names, name].join('/'), stats);
      } catch (error) {
        // The first error counts.
        await unlink(at(directory, draft)).catch(() => {});
        throw error;
      } finally {
        await handle.close();
      }
    };
    return told(inDirectory(root, names, write, makeAt(owner)));
  },

  async remove(root: string, path: string): Promise<void> {
    const names = namesOf(path);
    const name = names.pop();
    if (name === undefined) throw new SandboxFileRefused('bad_path', 'the working directory itself stays');
    await told(inDirectory(root, names, (directory) => removeTree(directory, name)));
  },
};

/** Turns a missing directory into SandboxGone. */
export const goneIfMissing = (error: unknown): never => {
  throw errorCode(error) === 'ENOENT' ? new SandboxGone() : error;
};
