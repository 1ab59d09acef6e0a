/** How many pixels an image says it has, by its head; undefined when it does not say. */
export function countPixels(bytes: Buffer): number | undefined {
  if (bytes.length < 30) return undefined;
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG')) return bytes.readUInt32BE(16) * bytes.readUInt32BE(20);
  if (start.startsWith('GIF8')) return bytes.readUInt16LE(6) * bytes.readUInt16LE(8);
  if (start.startsWith('BM')) return Math.abs(bytes.readInt32LE(18) * bytes.readInt32LE(22));
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return webp(bytes);
  return start.startsWith('\xff\xd8') ? jpeg(bytes) : undefined;
}

function webp(bytes: Buffer): number | undefined {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return (bytes.readUIntLE(24, 3) + 1) * (bytes.readUIntLE(27, 3) + 1);
  if (kind === 'VP8 ') return (bytes.readUInt16LE(26) & 0x3fff) * (bytes.readUInt16LE(28) & 0x3fff);
  if (kind !== 'VP8L') return undefined;
  const bits = bytes.readUInt32LE(21);
  return ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1);
}

/** Goes from segment to segment up to the one that begins the picture. */
function jpeg(bytes: Buffer): number | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number;
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (frame) return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
