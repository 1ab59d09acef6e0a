import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Adds weighted vectors: `starts` says where each begins among all numbers. The result is used until the next call. */
export type AddVectors = (starts: Int32Array, weights: Int32Array, count: number) => Int32Array;

const file = new URL('./add-vectors.wasm', import.meta.url);
const checksum = '74b3a25565cc5751cee18b8f50678bf7131b1d467dfbf57badd7aa3d0760bb2a';
const [block, page] = [16, 65_536];
/** So many vectors are added in one call; sums of more are added up. */
const mostAtOnce = 4096;

let compiled: WebAssembly.Module | undefined;
function compile(): WebAssembly.Module {
  if (compiled) return compiled;
  const code = readFileSync(file);
  if (createHash('sha256').update(code).digest('hex') !== checksum)
    throw new Error('add-vectors.wasm is not the one that was built.');
  compiled = new WebAssembly.Module(code);
  return compiled;
}

/** In WebAssembly, about ten times as fast. Throws where it has no SIMD. */
export function makeWasmAddVectors(vectors: Int8Array, dimension: number): AddVectors {
  const module = compile();
  const stride = Math.ceil(dimension / block) * block;
  const rows = dimension === 0 ? 0 : vectors.length / dimension;
  const [startsAt, weightsAt] = [stride * 4, stride * 4 + mostAtOnce * 4];
  const vectorsAt = weightsAt + mostAtOnce * 2;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((vectorsAt + rows * stride) / page) });
  const stored = new Int8Array(memory.buffer, vectorsAt, rows * stride);
  for (let row = 0; row < rows; row++)
    stored.set(vectors.subarray(row * dimension, (row + 1) * dimension), row * stride);
  const sums = new Int32Array(memory.buffer, 0, dimension);
  const addresses = new Int32Array(memory.buffer, startsAt, mostAtOnce);
  const shares = new Int16Array(memory.buffer, weightsAt, mostAtOnce);
  const { addVectors } = new WebAssembly.Instance(module, { env: { memory } }).exports as {
    addVectors(sums: number, size: number, starts: number, weights: number, pairs: number): void;
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

  return (starts, weights, count) => {
    const most = mostAtOnce - 1;
    addPart(starts, weights, 0, Math.min(count, most));
    if (count <= most) return sums;
    total.set(sums);
    for (let from = most; from < count; from += most) {
      addPart(starts, weights, from, Math.min(count - from, most));
      for (let i = 0; i < dimension; i++) total[i] = ((total[i] as number) + (sums[i] as number)) | 0;
    }
    return total;
  };
}

/** The same in plain JavaScript. */
export function makePlainAddVectors(vectors: Int8Array, dimension: number): AddVectors {
  const sums = new Int32Array(dimension);
  return (starts, weights, count) => {
    sums.fill(0);
    for (let at = 0; at < count; at++) {
      const [start, weight] = [starts[at] as number, weights[at] as number];
      for (let i = 0; i < dimension; i++)
        sums[i] = ((sums[i] as number) + Math.imul(weight, vectors[start + i] as number)) | 0;
    }
    return sums;
  };
}

/** In WebAssembly, or plainly where a processor has no SIMD, memory is refused, or the file is not the one that was built. */
export function makeAddVectors(vectors: Int8Array, dimension: number, make = makeWasmAddVectors): AddVectors {
  try {
    return make(vectors, dimension);
  } catch {
    return makePlainAddVectors(vectors, dimension);
  }
}
