import { constants } from 'node:fs';
import { type FileHandle, lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  at,
  type Held,
  itself,
  openAt,
  openDirectoryAt,
  openRoot,
} from '../../src/drivers/sandboxes/local/open-directory.ts';
import { errorCode } from '../../src/lib/error-code.ts';

/** A file as it is found: below the data directory, or in the bucket under the name it would have there. */
export interface FoundFile {
  path: string;
  size: number;
  mtime_ms: number;
  mode: number;
  /** Passes the bytes to `write`, before the next file is asked for. False when the file is gone or was left out. */
  read(write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>): Promise<boolean>;
}

type LeaveOut = (path: string) => void;

/** A restore needs room before it for the name of another data directory; the kernel takes 4,096 bytes. */
const longestPath = 3072;
/** Each directory on the way is open. */
const deepest = 200;
const pieceBytes = 1 << 18;

/** Errors that code in a sandbox can cause by permissions, names, or by replacing an entry while it is looked at. */
const causedInside = new Set(['EACCES', 'EPERM', 'ELOOP', 'ENOTDIR', 'EISDIR', 'ENXIO', 'ENAMETOOLONG']);

const isInSandbox = ([folder, , ...inside]: readonly string[]) => folder === 'sandboxes' && inside.length > 0;

/** Partial blobs, and the mark that says which stored state the files of a sandbox are of. */
const isSkipped = (names: readonly string[]) =>
  names[0] === 'sandboxes' ? names.length === 3 && names[2] === '.files' : names.at(-1)?.endsWith('.part');

/** Undefined when the entry is gone. An unreadable one of a sandbox is left out; any other ends the backup. */
async function attempt<T>(names: readonly string[], leaveOut: LeaveOut, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    const code = String(errorCode(error));
    // A name that is not UTF-8 is listed with this character, and not found.
    const isGone = code === 'ENOENT' && !names.at(-1)?.includes('\ufffd');
    if (isGone) return undefined;
    if (!isInSandbox(names) || !(causedInside.has(code) || code === 'ENOENT')) throw error;
    leaveOut(names.join('/'));
    return undefined;
  }
}

/** Bytes that are added while the file is read are not returned, so that reading ends. */
async function* readUpTo(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size; ) {
    const wanted = Math.min(pieceBytes, size - position);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

async function* walk(directory: Held, above: readonly string[], leaveOut: LeaveOut): AsyncGenerator<FoundFile> {
  const listed = (await attempt(above, leaveOut, () => readdir(itself(directory)))) ?? [];
  for (const name of listed.sort()) {
    const names = [...above, name];
    const path = names.join('/');
    if (isSkipped(names)) continue;
    const stats = await attempt(names, leaveOut, () => lstat(at(directory, name)));
    if (!stats?.isFile() && !stats?.isDirectory()) continue;
    if (isInSandbox(names) && (names.length > deepest || Buffer.byteLength(path) > longestPath)) {
      leaveOut(path);
      continue;
    }
    if (stats.isDirectory()) {
      const inner = await attempt(names, leaveOut, () => openDirectoryAt(directory, name));
      if (!inner) continue;
      try {
        yield* walk(inner, names, leaveOut);
      } finally {
        await inner.handle.close();
      }
      continue;
    }
    const { size, mtimeMs: mtime_ms, mode } = stats;
    const read: FoundFile['read'] = async (write) => {
      const handle = await attempt(names, leaveOut, () => openAt(directory, name, constants.O_RDONLY));
      if (!handle) return false;
      try {
        const isFile = (await handle.stat()).isFile();
        if (isFile) await write(readUpTo(handle, size));
        else leaveOut(path);
        return isFile;
      } finally {
        await handle.close();
      }
    };
    yield { path, size, mtime_ms, mode, read };
  }
}

/** Walks through open directories without following links: code in sandboxes changes the files meanwhile. */
export async function* findOnDisk(data_dir: string, folder: string, leaveOut: LeaveOut): AsyncGenerator<FoundFile> {
  // The folder itself may be a link that the operator made, to another disk.
  const root = await attempt([folder], leaveOut, () => realpath(join(data_dir, folder)));
  if (root === undefined) return;
  const held = await openRoot(root);
  try {
    yield* walk(held, [folder], leaveOut);
  } finally {
    await held.handle.close();
  }
}
