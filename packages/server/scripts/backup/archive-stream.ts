import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';

/** A file or a folder in a stream: the length of its description, the description, and the bytes of a file. */
export interface ArchiveEntry {
  path: string;
  /** Undefined for a folder. */
  size?: number;
}

export function describeEntry(entry: ArchiveEntry): Buffer {
  const text = Buffer.from(JSON.stringify(entry));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}

/** Exactly so many bytes of a file that may change meanwhile: one that has become shorter is filled up with zeros. */
export async function* readExactly(path: string, size: number): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    for (let at = 0; at < size; ) {
      const wanted = Math.min(1 << 20, size - at);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, at);
      const bytes = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
      yield bytes;
      at += bytes.length;
    }
  } finally {
    await file.close();
  }
}

/** Takes bytes off a stream, as many as are asked for. */
function makeReader(stream: AsyncIterable<Buffer>) {
  const parts = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  async function some(most: number): Promise<Buffer | undefined> {
    while (rest.length === 0) {
      const { value, done } = await parts.next();
      if (done) return undefined;
      rest = value;
    }
    const taken = rest.subarray(0, most);
    rest = rest.subarray(taken.length);
    return taken;
  }
  async function exactly(length: number): Promise<Buffer | undefined> {
    const taken: Buffer[] = [];
    for (let left = length; left > 0; ) {
      const part = await some(left);
      if (!part && left === length) return undefined;
      if (!part) throw new Error('The archive of the database is cut off');
      taken.push(part);
      left -= part.length;
    }
    return Buffer.concat(taken);
  }
  return { some, exactly };
}

/** Writes the files of an archive below a folder. */
export async function unpackArchive(stream: AsyncIterable<Buffer>, dir: string): Promise<void> {
  const reader = makeReader(stream);
  for (;;) {
    const length = await reader.exactly(4);
    if (!length) return;
    const text = await reader.exactly(length.readUInt32BE());
    const { path, size } = JSON.parse(String(text)) as ArchiveEntry;
    const target = normalize(join(dir, path));
    if (!target.startsWith(`${normalize(dir)}${sep}`)) throw new Error(`The archive has a path outside of it: ${path}`);
    if (size === undefined) {
      await mkdir(target, { recursive: true, mode: 0o700 });
      await chmod(target, 0o700);
      continue;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(target, 'wx', 0o600);
    try {
      for (let left = size; left > 0; ) {
        const bytes = await reader.some(left);
        if (!bytes) throw new Error('The archive of the database is cut off');
        await file.writeFile(bytes);
        left -= bytes.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
