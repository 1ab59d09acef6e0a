import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createInflateRaw } from 'node:zlib';
import { ArchiveRefused, mostEntries, mostUnpackedBytes } from './archive-format.ts';

interface Entry {
  name: string;
  isDeflated: boolean;
  crc: number;
  packed: number;
  unpacked: number;
  offset: number;
}

/** The entries of a zip archive. */
export interface ZipArchive {
  names: readonly string[];
  /** The bytes of an entry; undefined when there is none. It has never more bytes than the archive declares. */
  read(name: string): AsyncIterable<Uint8Array> | undefined;
  /** The text of an entry; empty when there is none. */
  text(name: string, most: number): Promise<string>;
}

/** A part of the stored archive. */
export type ReadRange = (start: number, length: number) => Promise<Readable>;

const endBytes = 22;
const mostComment = 0xffff;
const headBytes = 46;
const localBytes = 30;
const mostDirectoryBytes = 8 * 1024 ** 2;
const refuse = (why: string): never => {
  throw new ArchiveRefused(`The archive can not be read: ${why}`);
};

async function readDirectory(size: number, part: (start: number, length: number) => Promise<Buffer>) {
  const tail = await part(Math.max(0, size - endBytes - mostComment), Math.min(size, endBytes + mostComment));
  const at = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (at < 0 || at + endBytes > tail.length) return refuse('it is no zip archive');
  const [count, length, start] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (count > mostEntries) refuse(`it has more than ${mostEntries} entries`);
  if (length > mostDirectoryBytes || start + length > size) refuse('its directory is broken');
  return { count, bytes: await part(start, length) };
}

function readEntries(count: number, bytes: Buffer, isAllowed: (name: string) => boolean): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0, index = 0; index < count; index++) {
    if (at + headBytes > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) refuse('its directory is broken');
    const [flags, method, lengths] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10), [28, 30, 32]] as const;
    const [named = 0, extra = 0, comment = 0] = lengths.map((place) => bytes.readUInt16LE(at + place));
    const name = bytes.toString('utf8', at + headBytes, at + headBytes + named);
    if (!isAllowed(name)) refuse('it has an entry whose name no workspace archive has');
    if (entries.has(name)) refuse(`it has two entries named ${name}`);
    if (flags & 1 || (method !== 0 && method !== 8)) refuse(`${name} is encrypted or packed in an unknown way`);
    entries.set(name, {
      ...{ name, isDeflated: method === 8, crc: bytes.readUInt32LE(at + 16) },
      ...{ packed: bytes.readUInt32LE(at + 20), unpacked: bytes.readUInt32LE(at + 24) },
      offset: bytes.readUInt32LE(at + 42),
    });
    at += headBytes + named + extra + comment;
  }
  return entries;
}

/** Reads a zip archive that may come from anywhere: numbers, names and sizes are checked before anything is unpacked. */
export async function openZip(
  size: number,
  range: ReadRange,
  isAllowed: (name: string) => boolean,
): Promise<ZipArchive> {
  const part = async (start: number, length: number) => {
    if (start < 0 || start + length > size) refuse('it is cut off');
    return length === 0 ? Buffer.alloc(0) : buffer(await range(start, length));
  };
  const { count, bytes } = await readDirectory(size, part);
  const entries = readEntries(count, bytes, isAllowed);
  const sum = (of: (entry: Entry) => number) => [...entries.values()].reduce((total, entry) => total + of(entry), 0);
  // Entries that share their bytes unpack to more than an archive of this size can hold.
  if (sum(({ packed }) => packed) > size) refuse('its entries overlap');
  if (sum(({ unpacked }) => unpacked) > mostUnpackedBytes) refuse('it unpacks to too many bytes');

  async function* unpack({ name, isDeflated, crc, packed, unpacked, offset }: Entry): AsyncGenerator<Uint8Array> {
    const head = await part(offset, localBytes);
    if (head.readUInt32LE(0) !== 0x04034b50) refuse(`${name} is not where the directory says`);
    const start = offset + localBytes + head.readUInt16LE(26) + head.readUInt16LE(28);
    if (start + packed > size) refuse('it is cut off');
    let [seen, sum] = [0, 0];
    if (packed > 0) {
      const stored = await range(start, packed);
      const inflate = createInflateRaw();
      stored.on('error', (error) => inflate.destroy(error));
      try {
        for await (const chunk of isDeflated ? stored.pipe(inflate) : stored) {
          seen += chunk.length;
          if (seen > unpacked) refuse(`${name} has more bytes than the directory says`);
          sum = crc32(chunk, sum);
          yield chunk;
        }
      } catch (error) {
        const isBroken = String((error as { code?: unknown }).code).startsWith('Z_');
        throw isBroken ? new ArchiveRefused(`The archive can not be read: ${name} is damaged`) : error;
      } finally {
        stored.destroy();
        inflate.destroy();
      }
    }
    if (seen !== unpacked || sum !== crc) refuse(`${name} is damaged`);
  }

  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      return entry && unpack(entry);
    },
    async text(name, most) {
      const entry = entries.get(name);
      if (!entry) return '';
      if (entry.unpacked > most) refuse(`${name} has more than ${most} bytes`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of unpack(entry)) chunks.push(chunk);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}
