import { constants } from 'node:fs';
import { chmod, type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '../../../lib/error-code.ts';
import { SandboxFileRefused } from '../driver.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
const linux = process.platform === 'linux';
/** Linux: names a file without opening it. */
const O_PATH = 0o10000000;
/** macOS: refuses a link anywhere in a path, not only at its end. */
const anywhere = process.platform === 'darwin' ? 0x20000000 : 0;

/**
 * An open directory. Its content is reached through the descriptor and not through its path, which code in a sandbox
 * could redirect between check and use.
 */
export interface Held {
  handle: FileHandle;
  path: string;
}

export const namesOf = (path: string): string[] => {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (path.length > 4096 || names.some((name) => name === '..' || name.includes('\0') || name.length > 255))
    throw new SandboxFileRefused('bad_path', 'a path lies below the working directory and has no .. in it');
  return names;
};

/** The path of a name in an open directory. With /proc the kernel starts at the open directory itself. */
export const at = ({ handle, path }: Held, name: string) =>
  linux ? `/proc/self/fd/${handle.fd}/${name}` : `${path}/${name}`;

/** The path of the open directory itself, for calls that take no descriptor. */
export const itself = ({ handle, path }: Held) => (linux ? `/proc/self/fd/${handle.fd}` : path);

export const openRoot = async (path: string): Promise<Held> => ({
  handle: await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
  path,
});

/** Opens a name without following links and without blocking on a FIFO. */
export const openAt = (directory: Held, name: string, flags: number, mode?: number) =>
  open(at(directory, name), flags | O_NOFOLLOW | O_NONBLOCK | anywhere, mode);

export const openDirectoryAt = async (directory: Held, name: string): Promise<Held> => ({
  handle: await openAt(directory, name, O_RDONLY | O_DIRECTORY),
  path: `${directory.path}/${name}`,
});

/** Gives the owner of an entry its permissions back; by a descriptor, because another entry may take the name meanwhile. */
async function permitAt(directory: Held, name: string, flags: number, mode: number): Promise<void> {
  const named = await openAt(directory, name, O_PATH | flags);
  try {
    const facts = await named.stat();
    if (facts.isDirectory() || facts.isFile()) await chmod(`/proc/self/fd/${named.fd}`, mode);
  } finally {
    await named.close();
  }
}

/** Also opens a directory whose owner has removed its own read permission. */
export async function openAnyAt(directory: Held, name: string): Promise<Held> {
  try {
    return await openDirectoryAt(directory, name);
  } catch (error) {
    if (!linux || errorCode(error) !== 'EACCES') throw error;
  }
  await permitAt(directory, name, O_DIRECTORY, 0o700);
  return openDirectoryAt(directory, name);
}

/** Also opens a file whose owner has removed its own read permission. */
export async function openAnyFileAt(directory: Held, name: string): Promise<FileHandle> {
  try {
    return await openAt(directory, name, O_RDONLY);
  } catch (error) {
    if (!linux || errorCode(error) !== 'EACCES') throw error;
  }
  await permitAt(directory, name, 0, 0o600);
  return openAt(directory, name, O_RDONLY);
}

/** Opens the directories of a path one by one and passes the last to `work`; it is closed afterwards. */
export async function inDirectory<T>(
  root: string,
  names: readonly string[],
  work: (directory: Held) => Promise<T>,
  step: (directory: Held, name: string) => Promise<Held> = openDirectoryAt,
): Promise<T> {
  let held = await openRoot(root);
  try {
    for (const name of names) {
      const next = await step(held, name);
      await held.handle.close();
      held = next;
    }
    return await work(held);
  } finally {
    await held.handle.close();
  }
}
