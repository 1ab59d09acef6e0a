import { correctionOf } from './reed-solomon.ts';

/** Correction bytes of a block and number of blocks by version, for level M. */
const correctionBytes = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24];
const blockCounts = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10];
export const highestVersion = 15;

export const sizeOf = (version: number) => version * 4 + 17;

/** Where the small squares stand that a reader lays its grid by. */
export function alignmentPlaces(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const places = Array.from({ length: count - 1 }, (_, index) => sizeOf(version) - 7 - index * step);
  return [6, ...places.reverse()];
}

/** All bytes that a version holds, with those for correction. */
export function bytesOf(version: number): number {
  const count = alignmentPlaces(version).length;
  let modules = (16 * version + 128) * version + 64;
  if (count > 0) modules -= (25 * count - 10) * count - 55;
  if (version >= 7) modules -= 36;
  return Math.floor(modules / 8);
}

export const layoutOf = (version: number) => ({
  blocks: blockCounts[version] ?? 0,
  correction: correctionBytes[version] ?? 0,
});
const dataBytes = (version: number) => {
  const { blocks, correction } = layoutOf(version);
  return bytesOf(version) - blocks * correction;
};
const lengthBits = (version: number) => (version < 10 ? 8 : 16);

/** The smallest version that has room for this many bytes. */
export function versionFor(length: number): number {
  for (let version = 1; version <= highestVersion; version++)
    if (4 + lengthBits(version) + length * 8 <= dataBytes(version) * 8) return version;
  throw new RangeError('The text is too long for a QR code');
}

/** The bytes of a code in the order in which they are drawn. */
export function codewordsOf(bytes: Uint8Array, version: number): number[] {
  const capacity = dataBytes(version) * 8;
  let bits = `0100${bytes.length.toString(2).padStart(lengthBits(version), '0')}`;
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  bits += '0'.repeat(Math.min(4, capacity - bits.length));
  bits += '0'.repeat((8 - (bits.length % 8)) % 8);
  for (let filler = 0; bits.length < capacity; filler++) bits += filler % 2 === 0 ? '11101100' : '00010001';
  const data = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return interleave(data, version);
}

function interleave(data: readonly number[], version: number): number[] {
  const { blocks: count, correction } = layoutOf(version);
  const total = bytesOf(version);
  const shortBlocks = count - (total % count);
  const shortLength = Math.floor(total / count) - correction;
  let start = 0;
  const blocks = Array.from({ length: count }, (_, index) => {
    const part = data.slice(start, start + shortLength + (index < shortBlocks ? 0 : 1));
    start += part.length;
    return { part, repair: correctionOf(part, correction) };
  });
  const column = (index: number, kind: 'part' | 'repair') =>
    blocks.flatMap((block) => (index < block[kind].length ? [block[kind][index] ?? 0] : []));
  return [
    ...Array.from({ length: shortLength + 1 }, (_, index) => column(index, 'part')).flat(),
    ...Array.from({ length: correction }, (_, index) => column(index, 'repair')).flat(),
  ];
}
