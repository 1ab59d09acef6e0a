import type { Asset } from './asset.ts';
import { dense, type Kernel, longestWindow } from './kernel.ts';

const sides = ['forward', 'backward'] as const;

/** out[at + r] = start[from + r] + row r · x. */
function matrix(
  out: Float32Array,
  at: number,
  start: Float32Array,
  from: number,
  x: Float32Array,
  weights: Float32Array,
  rows: number,
) {
  const width = x.length;
  for (let row = 0; row < rows; row++) {
    let sum = start[from + row] as number;
    const base = row * width;
    for (let i = 0; i < width; i++) sum += (weights[base + i] as number) * (x[i] as number);
    out[at + row] = sum;
  }
}

function norm(x: Float32Array, gain: Float32Array, shift: Float32Array) {
  let [mean, square] = [0, 0];
  for (const value of x) mean += value;
  mean /= x.length;
  for (const value of x) square += (value - mean) ** 2;
  const scale = 1 / Math.sqrt(square / x.length + 1e-5);
  for (let i = 0; i < x.length; i++)
    x[i] = ((x[i] as number) - mean) * scale * (gain[i] as number) + (shift[i] as number);
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** For machines without WebAssembly SIMD: the same results, about eight times slower. */
export function makeJsKernel(asset: Asset, slots: number): Kernel {
  const { in: width, token, hidden } = asset.sizes;
  const tags = asset.tags.length;
  const weights = dense(asset.matrix('token'), width);
  const gates = sides.map((side) => dense(asset.matrix(`${side}.in`), token));
  const own = sides.map((side) => dense(asset.matrix(`${side}.own`), hidden));
  const last = dense(asset.matrix('out'), 2 * hidden);
  const f = (name: string) => asset.floats(name);
  const kept = new Float32Array(slots * 8 * hidden);
  const features = new Float32Array(width);
  const middle = new Float32Array(token);
  const states = new Float32Array(longestWindow * 2 * hidden);
  const scores = new Float32Array(longestWindow * tags);

  function direction(side: number, words: readonly number[]) {
    const cell = new Float32Array(hidden);
    const h = new Float32Array(hidden);
    const gate = new Float32Array(4 * hidden);
    for (let step = 0; step < words.length; step++) {
      const t = side ? words.length - 1 - step : step;
      matrix(gate, 0, kept, ((words[t] as number) * 2 + side) * 4 * hidden, h, own[side] as Float32Array, 4 * hidden);
      for (let i = 0; i < hidden; i++) {
        const [take, keep, fresh, show] = [gate[i], gate[hidden + i], gate[2 * hidden + i], gate[3 * hidden + i]] as [
          number,
          number,
          number,
          number,
        ];
        cell[i] = sigmoid(keep) * (cell[i] as number) + sigmoid(take) * Math.tanh(fresh);
        h[i] = sigmoid(show) * Math.tanh(cell[i] as number);
      }
      states.set(h, (t * 2 + side) * hidden);
    }
  }

  return {
    slots,
    features,
    keep(slot) {
      matrix(middle, 0, f('token.bias'), 0, features, weights, token);
      norm(middle, f('token.gain'), f('token.shift'));
      for (let i = 0; i < token; i++) middle[i] = Math.max(0, middle[i] as number);
      for (const [at, side] of sides.entries())
        matrix(kept, (slot * 2 + at) * 4 * hidden, f(`${side}.bias`), 0, middle, gates[at] as Float32Array, 4 * hidden);
    },
    read(words) {
      direction(0, words);
      direction(1, words);
      for (let t = 0; t < words.length; t++) {
        const state = states.subarray(t * 2 * hidden, (t + 1) * 2 * hidden);
        norm(state, f('out.gain'), f('out.shift'));
        matrix(scores, t * tags, f('out.bias'), 0, state, last, tags);
      }
      return scores.subarray(0, words.length * tags);
    },
  };
}
