import { inflateRawSync } from 'node:zlib';
import { NotExtractable } from '../driver.ts';

interface Entry {
  method: number;
  packed: number;
  size: number;
  /** Where its local header stands. */
  at: number;
}

export interface Archive {
  names(): string[];
  has(name: string): boolean;
  /** The bytes of a part; undefined when there is none of this name. */
  read(name: string): Buffer | undefined;
}

const megabyte = 1024 * 1024;
/** `ratio` applies only above `small`: a harmless sheet of equal rows also compresses very well. */
const limits = { entries: 10_000, part: 200 * megabyte, all: 400 * megabyte, ratio: 200, small: 16 * megabyte };

const damaged = () => new NotExtractable('unreadable', 'it is damaged: its parts can not be found');
const bomb = () => new NotExtractable('too_large', 'unpacked, it is far too large');

/** Finds offset and entry count of the central directory. The record is at the end, before an optional comment. */
function directory(bytes: Buffer): { at: number; count: number } {
  const last = Math.max(0, bytes.length - 22 - 0xffff);
  for (let at = bytes.length - 22; at >= last; at--)
    if (bytes.readUInt32LE(at) === 0x06054b50)
      return { at: bytes.readUInt32LE(at + 16), count: bytes.readUInt16LE(at + 10) };
  throw damaged();
}

function entriesOf(bytes: Buffer): Map<string, Entry> {
  const { at: begin, count } = directory(bytes);
  if (count > limits.entries) throw bomb();
  const entries = new Map<string, Entry>();
  let at = begin;
  let total = 0;
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw damaged();
    if (bytes.readUInt16LE(at + 8) & 1) throw new NotExtractable('encrypted', 'it is protected with a password');
    const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const end = at + 46 + bytes.readUInt16LE(at + 28);
    total += size;
    if (total > limits.all || (size > limits.small && size > packed * limits.ratio)) throw bomb();
    // A name is only ever compared; it leads to no file.
    const name = bytes.toString('utf8', at + 46, end);
    entries.set(name, { method: bytes.readUInt16LE(at + 10), packed, size, at: bytes.readUInt32LE(at + 42) });
    at = end + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** What old Office programs and protected files begin with. */
const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/**
 * Reads the parts of a ZIP archive one by one. It checks the declared size of an entry while unpacking and counts all
 * unpacked bytes, since parts may overlap or be read twice.
 */
export function openArchive(bytes: Buffer): Archive {
  if (bytes.subarray(0, 8).equals(compound))
    throw new NotExtractable('encrypted', 'it is protected with a password, or in the format of old Office programs');
  if (bytes.length < 22) throw damaged();
  const entries = entriesOf(bytes);
  let room = limits.all;

  function unpack({ method, packed, size, at }: Entry): Buffer {
    if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== 0x04034b50) throw damaged();
    const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const data = bytes.subarray(from, from + packed);
    if (data.length < packed) throw damaged();
    if (method === 0) return data;
    if (method !== 8) throw damaged();
    try {
      return inflateRawSync(data, { maxOutputLength: Math.max(1, Math.min(size, limits.part, room)) });
    } catch (error) {
      throw error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? bomb() : damaged();
    }
  }
  return {
    names: () => [...entries.keys()],
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      if (entry.size > room) throw bomb();
      const part = unpack(entry);
      room -= part.length;
      return part;
    },
  };
}
