import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Written by training/ner/export.py, which documents the layout. */
const file = new URL('../../../../assets/tagger.bin', import.meta.url);
const version = 2;

interface Header {
  version: number;
  tags: string[];
  lists: string[];
  probes: number;
  sizes: Record<
    'vector' | 'word' | 'gram' | 'shapes' | 'bits' | 'in' | 'token' | 'hidden' | 'word_rows' | 'gram_rows',
    number
  >;
  biases: Record<string, number>;
  sections: Record<string, [at: number, bytes: number]>;
}

/** A quantized matrix; row r times scale r are the trained weights. */
export interface Matrix {
  rows: Int8Array;
  scale(row: number): number;
}

export interface Asset extends Pick<Header, 'tags' | 'lists' | 'probes' | 'sizes' | 'biases'> {
  bytes(section: string): Uint8Array;
  floats(section: string): Float32Array;
  keys: Uint32Array;
  matrix(name: string): Matrix;
}

/** Reads a half-precision float; the scales of the word vectors are never subnormal, infinite or negative. */
const fromHalf = (half: number) => 2 ** ((half >> 10) - 15) * (1 + (half & 1023) / 1024);

/** Parses the bytes of an asset. A damaged file is refused, since a wrong weight would go unnoticed. */
export function openAsset(bytes: Uint8Array<ArrayBuffer>): Asset {
  const sum = bytes.subarray(4, 36);
  const magic = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (bytes.length < 40 || magic !== 'ATAG' || !createHash('sha256').update(bytes.subarray(36)).digest().equals(sum))
    throw new Error('The name tagger’s file is damaged: its checksum is not the one it carries.');
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(36, true);
  const header = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + 40, length).toString()) as Header;
  if (header.version !== version)
    throw new Error(`The name tagger’s file has version ${header.version}, not ${version}.`);
  const place = (section: string) => {
    const [at, count] = header.sections[section] as [number, number];
    return [bytes.buffer, bytes.byteOffset + 40 + length + at, count] as const;
  };
  const floats = (section: string) => {
    const [buffer, at, count] = place(section);
    return new Float32Array(buffer, at, count / 4);
  };
  const [keyBuffer, keysAt, keyBytes] = place('vector.keys');
  const [halfBuffer, halvesAt, halfBytes] = place('vector.scales');
  const halves = new Uint16Array(halfBuffer, halvesAt, halfBytes / 2);
  return {
    ...header,
    bytes: (section) => new Uint8Array(...place(section)),
    floats,
    keys: new Uint32Array(keyBuffer, keysAt, keyBytes / 4),
    matrix(name) {
      const rows = new Int8Array(...place(`${name}.rows`));
      if (name === 'vector') return { rows, scale: (row) => fromHalf(halves[row] as number) };
      const scales = floats(`${name}.scales`);
      return { rows, scale: (row) => scales[row] as number };
    },
  };
}

/**
 * Reads the file synchronously, in the tagger's own thread. Sections start at multiples of 16 in the file; a buffer
 * that is not aligned is copied.
 */
export function loadAsset(from: URL = file): Asset {
  const read = readFileSync(from);
  return openAsset(read.byteOffset % 16 === 0 ? read : new Uint8Array(read));
}
