import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Asset, Matrix } from './asset.ts';
import { dense, type Kernel, longestWindow } from './kernel.ts';

/** Built from kernel/kernel.c by kernel/build.sh. */
const file = new URL('./kernel/kernel.wasm', import.meta.url);
export const kernelSum = '6177d74c800c9fbc1551c20aaa20b35eef0a04b257fb0bba7138a7dbd9d93e20';

/** The kernel's own stack lies below. */
const firstFree = 1 << 17;
const block = 32;

type Call = (...numbers: number[]) => void;
type Part = 'word' | 'lstm' | 'tags';

/** Rows in blocks of 32, each block by pairs of columns, as the kernel reads them. */
function blocks({ rows: from }: Matrix, rows: number, width: number): Int8Array {
  const out = new Int8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const base = (row - (row % block)) * width + (row % block) * 2;
    for (let i = 0; i < width; i++) out[base + (i >> 1) * 2 * block + (i & 1)] = from[row * width + i] as number;
  }
  return out;
}

/** The layout of the kernel's memory: consecutive pieces, each at a multiple of 16. */
function makeMemory(bytes: number) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((firstFree + bytes) / 65536) });
  let next = firstFree;
  const place = (size: number) => {
    const at = next;
    next += Math.ceil(size / 16) * 16;
    return at;
  };
  const put = (...pieces: (Float32Array | Int8Array)[]) => {
    const at = place(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
    let to = at;
    for (const piece of pieces) {
      new Uint8Array(memory.buffer, to).set(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
      to += piece.byteLength;
    }
    return at;
  };
  return { memory, put, floats: (count: number) => new Float32Array(memory.buffer, place(count * 4), count) };
}

/** Throws where WebAssembly has no SIMD. */
export function makeWasmKernel(asset: Asset, slots: number): Kernel {
  const code = readFileSync(file);
  if (createHash('sha256').update(code).digest('hex') !== kernelSum)
    throw new Error('kernel.wasm is not the one that was built.');
  const { in: width, token, hidden } = asset.sizes;
  const tags = asset.tags.length;
  const gates = 8 * hidden;
  const weights = token * width + gates * (token + hidden) + 4 * (4 * gates + 4 * token + tags * (2 * hidden + 1));
  const working = slots * gates + longestWindow * (2 * hidden + tags + 1) + 16 * hidden + token + width;
  const { memory, put, floats } = makeMemory(weights + working * 4 + 4096);

  const f = (name: string) => asset.floats(name);
  const side = (name: 'forward' | 'backward', part: 'in' | 'own', columns: number) =>
    blocks(asset.matrix(`${name}.${part}`), 4 * hidden, columns);
  const word = [
    ...[put(blocks(asset.matrix('token'), token, width)), put(f('token.scales')), put(f('token.bias'))],
    ...[put(f('token.gain')), put(f('token.shift'))],
    put(side('forward', 'in', token), side('backward', 'in', token)),
    put(f('forward.in.scales'), f('backward.in.scales')),
    put(f('forward.bias'), f('backward.bias')),
  ];
  const own = (['forward', 'backward'] as const).map((name) => [
    put(side(name, 'own', hidden)),
    put(f(`${name}.own.scales`)),
  ]);
  const last = [
    put(f('out.gain')),
    put(f('out.shift')),
    put(dense(asset.matrix('out'), 2 * hidden)),
    put(f('out.bias')),
  ];
  const at = (count: number) => floats(count).byteOffset;
  const [features, scores] = [floats(width), floats(longestWindow * tags)];
  const [middle, states, kept] = [at(token), at(longestWindow * 2 * hidden), at(slots * gates)];
  const scratch = [at(4 * hidden), at(hidden), at(hidden)];
  const places = new Uint32Array(memory.buffer, at(longestWindow), longestWindow);

  const module = new WebAssembly.Module(code);
  const run = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Record<Part, Call>;
  return {
    slots,
    features,
    keep: (slot) => run.word(kept + slot * gates * 4, features.byteOffset, middle, width, token, gates, ...word),
    read(words) {
      const n = words.length;
      for (let t = 0; t < n; t++) places[t] = kept + (words[t] as number) * gates * 4;
      own.forEach((weights, index) => {
        run.lstm(states, places.byteOffset, n, hidden, index, ...weights, ...scratch);
      });
      run.tags(scores.byteOffset, states, n, 2 * hidden, tags, ...last);
      return scores.subarray(0, n * tags);
    },
  };
}
