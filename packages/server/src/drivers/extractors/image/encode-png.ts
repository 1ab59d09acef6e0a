import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export interface Pixels {
  width: number;
  height: number;
  /** Bytes of a pixel: grey, colour, colour with alpha. */
  channels: 1 | 3 | 4;
  data: Uint8Array | Uint8ClampedArray;
}

/** Pixels as a file that anything can show. */
export function encodePng({ width, height, channels, data }: Pixels): Buffer {
  const line = width * channels;
  const lines = Buffer.alloc((line + 1) * height);
  for (let row = 0; row < height; row++) lines.set(data.subarray(row * line, (row + 1) * line), row * (line + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, channels === 1 ? 0 : channels === 3 ? 2 : 6, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
