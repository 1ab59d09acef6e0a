import { inflateRawSync } from 'node:zlib';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const [stored, deflated] = [0, 8];

function endOf(zip: Buffer): number {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 66_000); at--)
    if (zip.readUInt32LE(at) === endSignature) return at;
  throw new Error('This is no archive');
}

/**
 * Refuses an archive that would unfold to more than this many bytes. What it says of its sizes may be a lie, so every
 * part is unfolded, and given up at the limit.
 */
export function limitArchiveSize(zip: Buffer, most: number): void {
  const end = endOf(zip);
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  let left = most;
  for (let entry = 0; entry < count; entry++) {
    if (zip.readUInt32LE(at) !== entrySignature) throw new Error('This archive is damaged');
    const [method, packed, start] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    if (method === deflated)
      left -= inflateRawSync(zip.subarray(data, data + packed), { maxOutputLength: Math.max(1, left) }).length;
    else if (method === stored) left -= packed;
    else throw new Error('This archive is packed in a way that workbooks are not');
    if (left < 0) throw new Error('This archive is too large');
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}
