import { loadKernel } from './load-kernel.ts';

/** Calculates with the vectors of all terms. Results are used until the next call. */
export interface TermVectors {
  /** Adds weighted vectors: `starts` says where each begins among all numbers. */
  add(starts: Int32Array, weights: Int32Array, count: number): Int32Array;
  /** Multiplies each vector by one of up to 512 whole numbers. */
  multiply(by: Int16Array): Int32Array;
}

const file = new URL('./term-vectors.wasm', import.meta.url);
const checksum = '8da301325b73b8c336f40b2a5c5beadd26197d7650aeae5c9663d27146498cf9';
const [block, page] = [16, 65_536];
/** So many vectors are added in one call; sums of more are added up. */
const mostAtOnce = 4096;

/** In WebAssembly, about ten times as fast. Throws where it has no SIMD. */
export function makeWasmTermVectors(vectors: Int8Array, dimension: number): TermVectors {
  const module = loadKernel(file, checksum);
  const stride = Math.ceil(dimension / block) * block;
  const rows = dimension === 0 ? 0 : vectors.length / dimension;
  const [startsAt, weightsAt] = [stride * 4, stride * 4 + mostAtOnce * 4];
  const byAt = weightsAt + mostAtOnce * 2;
  const vectorsAt = byAt + stride * 2;
  const productsAt = vectorsAt + rows * stride;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((productsAt + rows * 4) / page) });
  const stored = new Int8Array(memory.buffer, vectorsAt, rows * stride);
  for (let row = 0; row < rows; row++)
    stored.set(vectors.subarray(row * dimension, (row + 1) * dimension), row * stride);
  const sums = new Int32Array(memory.buffer, 0, dimension);
  const addresses = new Int32Array(memory.buffer, startsAt, mostAtOnce);
  const shares = new Int16Array(memory.buffer, weightsAt, mostAtOnce);
  const factors = new Int16Array(memory.buffer, byAt, stride);
  const products = new Int32Array(memory.buffer, productsAt, rows);
  const { addVectors, multiplyVectors } = new WebAssembly.Instance(module, { env: { memory } }).exports as {
    addVectors(sums: number, size: number, starts: number, weights: number, pairs: number): void;
    multiplyVectors(by: number, size: number, vectors: number, rows: number, products: number): void;
  };
  const total = new Int32Array(dimension);

  function addPart(starts: Int32Array, weights: Int32Array, from: number, count: number): void {
    for (let at = 0; at < count; at++) {
      addresses[at] = vectorsAt + ((starts[from + at] as number) / dimension) * stride;
      shares[at] = weights[from + at] as number;
    }
    // Fills up the last pair.
    addresses[count] = vectorsAt;
    shares[count] = 0;
    addVectors(0, stride, startsAt, weightsAt, (count + 1) >> 1);
  }

  return {
    add(starts, weights, count) {
      const most = mostAtOnce - 1;
      addPart(starts, weights, 0, Math.min(count, most));
      if (count <= most) return sums;
      total.set(sums);
      for (let from = most; from < count; from += most) {
        addPart(starts, weights, from, Math.min(count - from, most));
        for (let i = 0; i < dimension; i++) total[i] = ((total[i] as number) + (sums[i] as number)) | 0;
      }
      return total;
    },
    multiply(by) {
      factors.set(by);
      multiplyVectors(byAt, stride, vectorsAt, rows, productsAt);
      return products;
    },
  };
}

/** The same in plain JavaScript. */
export function makePlainTermVectors(vectors: Int8Array, dimension: number): TermVectors {
  const sums = new Int32Array(dimension);
  const products = new Int32Array(dimension === 0 ? 0 : vectors.length / dimension);
  return {
    add(starts, weights, count) {
      sums.fill(0);
      for (let at = 0; at < count; at++) {
        const [start, weight] = [starts[at] as number, weights[at] as number];
        for (let i = 0; i < dimension; i++)
          sums[i] = ((sums[i] as number) + Math.imul(weight, vectors[start + i] as number)) | 0;
      }
      return sums;
    },
    multiply(by) {
      for (let row = 0; row < products.length; row++) {
        let sum = 0;
        for (let i = 0; i < dimension; i++)
          sum = (sum + Math.imul(by[i] as number, vectors[row * dimension + i] as number)) | 0;
        products[row] = sum;
      }
      return products;
    },
  };
}

/** In WebAssembly, or plainly where a processor has no SIMD, memory is refused, or the file is not the one that was built. */
export function makeTermVectors(vectors: Int8Array, dimension: number, make = makeWasmTermVectors): TermVectors {
  try {
    return make(vectors, dimension);
  } catch {
    return makePlainTermVectors(vectors, dimension);
  }
}
