import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignmentPlaces, bytesOf, codewordsOf, layoutOf, versionFor } from './codewords.ts';
import { formatBits, qrCode, versionBits } from './qr-code.ts';
import { correctionOf, multiply } from './reed-solomon.ts';

test('computes the correction bytes of the example of the standard', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  assert.deepEqual(correctionOf(data, 10), [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

test('has the places, sizes and version marks of the standard', () => {
  assert.deepEqual(alignmentPlaces(2), [6, 18]);
  assert.deepEqual(alignmentPlaces(7), [6, 22, 38]);
  assert.deepEqual(alignmentPlaces(14), [6, 26, 46, 66]);
  assert.deepEqual([1, 5, 7, 10, 15].map(bytesOf), [26, 134, 196, 346, 655]);
  assert.equal(versionBits(7), 0b000111110010010100);
  // 14 characters fit into version 1, 122 into version 7 at level M.
  assert.deepEqual([14, 15, 122, 123].map(versionFor), [1, 2, 7, 8]);
});

/** Reads a code back: the fixed parts are skipped by their places, not by how they were drawn. */
function readBack(grid: boolean[][]): number[] {
  const size = grid.length;
  const version = (size - 17) / 4;
  const places = alignmentPlaces(version);
  const isFixed = (x: number, y: number) => {
    if (x === 6 || y === 6) return true;
    if ((x < 9 && y < 9) || (x < 9 && y >= size - 8) || (x >= size - 8 && y < 9)) return true;
    if (version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))) return true;
    return places.some((px) =>
      places.some((py) => {
        const corner =
          (px === 6 && py !== places.at(-1) && py === 6) ||
          (px === 6 && py === places.at(-1)) ||
          (py === 6 && px === places.at(-1));
        return !corner && Math.abs(x - px) <= 2 && Math.abs(y - py) <= 2;
      }),
    );
  };
  let bits = '';
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - step : step;
        if (!isFixed(x, y)) bits += grid[y]?.[x] !== ((x + y) % 2 === 0) ? '1' : '0';
      }
    up = !up;
  }
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)).slice(0, bytesOf(version));
}

test('draws the bytes of a text so that they are read back, at sizes with and without version marks', () => {
  for (const text of ['otpauth://totp/A?secret=AB', 'x'.repeat(90), `otpauth://totp/Atrium:${'y'.repeat(140)}`]) {
    const grid = qrCode(text);
    const version = (grid.length - 17) / 4;
    const bytes = new TextEncoder().encode(text);
    assert.deepEqual(readBack(grid), codewordsOf(bytes, version), text);
    assert.ok(grid[grid.length - 8]?.[8], 'the dark module');
    const read = Array.from({ length: 8 }, (_, index) => Number(grid[8]?.[grid.length - 1 - index] ?? false));
    assert.deepEqual(
      read,
      Array.from({ length: 8 }, (_, index) => (formatBits >>> index) & 1),
    );
  }
});

test('every block of a code is free of errors for its reader', () => {
  const bytes = new TextEncoder().encode('z'.repeat(150));
  const version = versionFor(bytes.length);
  const { blocks, correction } = layoutOf(version);
  const words = codewordsOf(bytes, version);
  const short = Math.floor(bytesOf(version) / blocks) - correction;
  const longOnes = bytesOf(version) % blocks;
  for (let block = 0; block < blocks; block++) {
    const own = Array.from({ length: short }, (_, index) => words[index * blocks + block] ?? 0);
    const extra = block - (blocks - longOnes);
    if (extra >= 0) own.push(words[short * blocks + extra] ?? 0);
    const start = short * blocks + longOnes;
    for (let index = 0; index < correction; index++) own.push(words[start + index * blocks + block] ?? 0);
    let root = 1;
    for (let power = 0; power < correction; power++) {
      assert.equal(
        own.reduce((sum, word) => multiply(sum, root) ^ word, 0),
        0,
        `block ${block}`,
      );
      root = multiply(root, 2);
    }
  }
});
