import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAddVectors, makePlainAddVectors, makeWasmAddVectors } from './add-vectors.ts';

/** Numbers that look random and are the same each time. */
function makeNumbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

test('WebAssembly and plain JavaScript add vectors to the same sums, for any dimension and count', () => {
  const next = makeNumbers(3);
  for (const dimension of [1, 7, 16, 37, 256]) {
    const rows = 50;
    const vectors = Int8Array.from({ length: rows * dimension }, () => next(255) - 127);
    const [fast, plain] = [makeWasmAddVectors(vectors, dimension), makePlainAddVectors(vectors, dimension)];
    for (const count of [1, 2, 3, 40, 5000]) {
      const starts = Int32Array.from({ length: count }, () => next(rows) * dimension);
      const weights = Int32Array.from({ length: count }, () => Math.min(32_767, next(40_000) >> (count > 40 ? 5 : 0)));
      assert.deepEqual([...fast(starts, weights, count)], [...plain(starts, weights, count)], `${dimension} ${count}`);
    }
  }
});

test('adds vectors plainly when WebAssembly can not be used', () => {
  const add = makeAddVectors(Int8Array.from([1, 2, 3, 4]), 2, () => {
    throw new RangeError('no memory');
  });
  assert.deepEqual([...add(Int32Array.from([0, 2]), Int32Array.from([1, 10]), 2)], [31, 42]);
});
