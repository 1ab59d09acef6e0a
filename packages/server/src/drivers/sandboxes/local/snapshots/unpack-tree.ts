import { constants, lchown, mkdir, symlink } from 'node:fs/promises';
import { at, type Held, inDirectory, openAt, openDirectoryAt } from '../open-directory.ts';
import type { PackedEntry } from './pack-tree.ts';

/** Takes bytes off a stream, as many as are asked for. */
function makeReader(stream: AsyncIterable<Uint8Array>) {
  const parts = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();

  /** Some of the next bytes; undefined at the end. */
  async function take(most: number): Promise<Uint8Array | undefined> {
    while (rest.length === 0) {
      const { value, done } = await parts.next();
      if (done) return undefined;
      rest = value;
    }
    const taken = rest.subarray(0, most);
    rest = rest.subarray(taken.length);
    return taken;
  }

  async function* bytes(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      const taken = await take(left);
      if (!taken) throw new Error('The stored files of a sandbox are cut off');
      yield taken;
      left -= taken.length;
    }
  }

  async function exactly(length: number): Promise<Buffer> {
    const all: Uint8Array[] = [];
    for await (const part of bytes(length)) all.push(part);
    return Buffer.concat(all);
  }

  /** The description of the next entry; undefined at the end. */
  async function entry(): Promise<PackedEntry | undefined> {
    const first = await take(1);
    if (!first) return undefined;
    const length = Buffer.concat([first, await exactly(3)]).readUInt32BE();
    return JSON.parse((await exactly(length)).toString()) as PackedEntry;
  }

  return { entry, bytes };
}

async function writeFile(
  parent: Held,
  name: string,
  entry: PackedEntry,
  content: AsyncIterable<Uint8Array>,
  owner?: number,
) {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const handle = await openAt(parent, name, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    for await (const bytes of content) await handle.writeFile(bytes);
    if (owner !== undefined) await handle.chown(owner, owner);
    await handle.chmod(entry.mode & 0o777);
    await handle.utimes(new Date(), new Date(entry.modified_ms));
  } finally {
    await handle.close();
  }
}

async function makeLink(parent: Held, name: string, target: string, owner?: number): Promise<void> {
  await symlink(target, at(parent, name));
  if (owner !== undefined) await lchown(at(parent, name), owner, owner);
}

/** Fills an empty directory with a packed tree. Links are made and never followed. */
export async function unpackTree(stream: AsyncIterable<Uint8Array>, root: string, owner?: number): Promise<void> {
  const reader = makeReader(stream);
  const directories: PackedEntry[] = [];
  for (let entry = await reader.entry(); entry; entry = await reader.entry()) {
    const own = entry;
    const name = own.names.at(-1);
    if (
      name === undefined ||
      own.names.some((part) => part === '' || part === '..' || part === '.' || /[/\0]/.test(part))
    )
      throw new Error('The stored files of a sandbox have a path that leads out of it');
    await inDirectory(root, own.names.slice(0, -1), async (parent) => {
      if (own.target !== undefined) return makeLink(parent, name, own.target, owner);
      if (own.size !== undefined) return writeFile(parent, name, own, reader.bytes(own.size), owner);
      await mkdir(at(parent, name), 0o700);
      directories.push(own);
    });
  }
  // Their modes come last, the innermost first: a directory may be closed to its owner.
  for (const { names, mode, modified_ms } of directories.reverse())
    await inDirectory(root, names.slice(0, -1), async (parent) => {
      const { handle } = await openDirectoryAt(parent, names.at(-1) ?? '');
      try {
        if (owner !== undefined) await handle.chown(owner, owner);
        await handle.utimes(new Date(), new Date(modified_ms));
        await handle.chmod(mode & 0o777);
      } finally {
        await handle.close();
      }
    });
}
