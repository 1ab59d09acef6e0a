import { createHash } from 'node:crypto';
import { type Limits, SandboxFileRefused } from '../../driver.ts';
import { type Held, openAnyFileAt, openRoot } from '../open-directory.ts';
import { walkTree } from './walk-tree.ts';

/** An entry in a packed tree: the length of its description, the description, and the bytes of a file. */
export interface PackedEntry {
  names: readonly string[];
  mode: number;
  modified_ms: number;
  /** Of a file. */
  size?: number;
  /** Of a link. */
  target?: string;
}

const pieceBytes = 1 << 18;

function describeEntry(entry: PackedEntry): Buffer {
  const text = Buffer.from(JSON.stringify(entry));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}

/** Exactly so many bytes; a file that became shorter meanwhile is an error. */
async function* readExactly(parent: Held, name: string, size: number): AsyncGenerator<Buffer> {
  const handle = await openAnyFileAt(parent, name);
  try {
    for (let position = 0; position < size; ) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(pieceBytes), 0, pieceBytes, position);
      if (bytesRead === 0) throw new Error('A file of a sandbox became shorter while it was stored');
      yield buffer.subarray(0, Math.min(bytesRead, size - position));
      position += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** The content of a directory as a stream. Files with holes count with all their bytes. */
export async function* packTree(
  root: string,
  { disk_bytes: most_bytes, inodes }: Pick<Limits, 'disk_bytes' | 'inodes'>,
): AsyncGenerator<Buffer> {
  const held = await openRoot(root);
  let total = 0;
  try {
    for await (const entry of walkTree(held, { entries: inodes })) {
      const { names, mode, modified_ms } = entry;
      const facts = { names, mode, modified_ms };
      if (entry.type === 'link') yield describeEntry({ ...facts, target: entry.target });
      else if (entry.type === 'directory') yield describeEntry(facts);
      else {
        total += entry.size;
        if (total > most_bytes)
          throw new SandboxFileRefused('full', `the files of the sandbox have more than ${most_bytes} bytes`);
        yield describeEntry({ ...facts, size: entry.size });
        yield* readExactly(entry.parent, names.at(-1) ?? '', entry.size);
      }
    }
  } finally {
    await held.handle.close();
  }
}

/** Differs when anything in the directory has changed. */
export async function fingerprintTree(root: string, { inodes }: Pick<Limits, 'inodes'>): Promise<string> {
  const hash = createHash('sha256');
  const held = await openRoot(root);
  try {
    for await (const entry of walkTree(held, { entries: inodes })) {
      const own = entry.type === 'file' ? entry.size : entry.type === 'link' ? entry.target : null;
      // A directory changes with its entries, which are counted themselves.
      const time = entry.type === 'directory' ? null : entry.changed_ms;
      hash.update(`${JSON.stringify([entry.names, entry.type, entry.mode, own, time])}\n`);
    }
  } finally {
    await held.handle.close();
  }
  return hash.digest('hex');
}
