import { alignmentPlaces, codewordsOf, sizeOf, versionFor } from './codewords.ts';

type Grid = boolean[][];
/** The same mask for every code: any of the eight is valid, and texts of this kind have no large empty areas. */
const mask = (x: number, y: number) => (x + y) % 2 === 0;

/** Level M with mask 0, as readers expect it. */
export const formatBits = 0b101010000010010;
export function versionBits(version: number): number {
  let rest = version;
  for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
  return (version << 12) | rest;
}

/** A text as a QR code: rows of dark and light modules, without the quiet border. */
export function qrCode(text: string): Grid {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  const size = sizeOf(version);
  const dark: Grid = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const fixed: Grid = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const put = (x: number, y: number, value: boolean) => {
    const [row, used] = [dark[y], fixed[y]];
    if (!row || !used || x < 0 || x >= size) return;
    row[x] = value;
    used[x] = true;
  };
  drawPatterns(put, size, version);
  drawData(codewordsOf(bytes, version), dark, fixed);
  return dark;
}

type Put = (x: number, y: number, value: boolean) => void;

function drawPatterns(put: Put, size: number, version: number): void {
  for (let index = 0; index < size; index++) {
    put(6, index, index % 2 === 0);
    put(index, 6, index % 2 === 0);
  }
  const square = (x: number, y: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) put(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  const corners = [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const;
  for (const [x, y] of corners) square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  const places = alignmentPlaces(version);
  const last = places.at(-1);
  for (const x of places)
    for (const y of places) {
      const inCorner = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6);
      if (!inCorner) square(x, y, 2, (distance) => distance !== 1);
    }
  drawFormat(put, size);
  if (version >= 7) drawVersion(put, size, version);
}

function drawFormat(put: Put, size: number): void {
  const bit = (index: number) => ((formatBits >>> index) & 1) === 1;
  for (let index = 0; index < 6; index++) put(8, index, bit(index));
  put(8, 7, bit(6));
  put(8, 8, bit(7));
  put(7, 8, bit(8));
  for (let index = 9; index < 15; index++) put(14 - index, 8, bit(index));
  for (let index = 0; index < 8; index++) put(size - 1 - index, 8, bit(index));
  for (let index = 8; index < 15; index++) put(8, size - 15 + index, bit(index));
  put(8, size - 8, true);
}

function drawVersion(put: Put, size: number, version: number): void {
  const bits = versionBits(version);
  for (let index = 0; index < 18; index++) {
    const value = ((bits >>> index) & 1) === 1;
    const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)];
    put(a, b, value);
    put(b, a, value);
  }
}

/** Two columns at a time from the right, up and down in turn, around what is fixed. */
function drawData(codewords: readonly number[], dark: Grid, fixed: Grid): void {
  const size = dark.length;
  let index = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const upwards = ((right + 1) & 2) === 0;
        const y = upwards ? size - 1 - step : step;
        const row = dark[y];
        if (!row || fixed[y]?.[x]) continue;
        const bit = (((codewords[index >>> 3] ?? 0) >>> (7 - (index & 7))) & 1) === 1;
        row[x] = (index < codewords.length * 8 && bit) !== mask(x, y);
        index++;
      }
  }
}
