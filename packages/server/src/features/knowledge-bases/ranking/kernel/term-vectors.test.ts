import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlainTermVectors, makeTermVectors, makeWasmTermVectors } from './term-vectors.ts';

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
    const [fast, plain] = [makeWasmTermVectors(vectors, dimension), makePlainTermVectors(vectors, dimension)];
    for (const count of [1, 2, 3, 40, 5000]) {
      const starts = Int32Array.from({ length: count }, () => next(rows) * dimension);
      const weights = Int32Array.from({ length: count }, () => Math.min(32_767, next(40_000) >> (count > 40 ? 5 : 0)));
      assert.deepEqual(
        [...fast.add(starts, weights, count)],
        [...plain.add(starts, weights, count)],
        `${dimension} ${count}`,
      );
    }
  }
});

test('WebAssembly and plain JavaScript multiply vectors to the same products, also the largest', () => {
  const next = makeNumbers(5);
  for (const dimension of [1, 7, 16, 37, 256, 512]) {
    const vectors = Int8Array.from({ length: 50 * dimension }, (_, at) => (at < dimension ? -127 : next(255) - 127));
    const [fast, plain] = [makeWasmTermVectors(vectors, dimension), makePlainTermVectors(vectors, dimension)];
    for (const most of [32_767, 0, 1000]) {
      const by = Int16Array.from({ length: dimension }, () => (most === 32_767 ? most : next(2 * most + 1) - most));
      assert.deepEqual([...fast.multiply(by)], [...plain.multiply(by)], `${dimension} ${most}`);
      if (most === 32_767) assert.equal(fast.multiply(by)[0], -127 * most * dimension, 'no sum leaves 32 bits');
    }
  }
});

test('adds and multiplies vectors plainly when WebAssembly can not be used', () => {
  const { add, multiply } = makeTermVectors(Int8Array.from([1, 2, 3, 4]), 2, () => {
    throw new RangeError('no memory');
  });
  assert.deepEqual([...add(Int32Array.from([0, 2]), Int32Array.from([1, 10]), 2)], [31, 42]);
  assert.deepEqual([...multiply(Int16Array.from([1, 100]))], [201, 403]);
});
