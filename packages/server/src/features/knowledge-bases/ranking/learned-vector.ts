import { vectorWeight } from './learn-search-model.ts';
import { idfOf, type SearchModel } from './search-model.ts';

/** Weights become whole numbers up to this: with those of the vectors, sums are whole too, which takes a third of the time. */
const mostWeight = 32_767;
/** Of all weights of a text, so that no sum of them and of vectors up to 127 leaves 32 bits. */
const mostOfAll = 16_000_000;

/** Adds four weighted vectors to a sum at once, in whole numbers throughout. */
function addFour(sum: Int32Array, vectors: Int8Array, starts: Int32Array, weights: Int32Array, at: number): void {
  const [a, b] = [(starts[at] as number) | 0, (starts[at + 1] as number) | 0];
  const [c, d] = [(starts[at + 2] as number) | 0, (starts[at + 3] as number) | 0];
  const [p, q] = [(weights[at] as number) | 0, (weights[at + 1] as number) | 0];
  const [r, s] = [(weights[at + 2] as number) | 0, (weights[at + 3] as number) | 0];
  for (let i = 0; i < sum.length; i = (i + 1) | 0) {
    const one = (Math.imul(p, vectors[(a + i) | 0] as number) + Math.imul(q, vectors[(b + i) | 0] as number)) | 0;
    const two = (Math.imul(r, vectors[(c + i) | 0] as number) + Math.imul(s, vectors[(d + i) | 0] as number)) | 0;
    sum[i] = ((sum[i] as number) + ((one + two) | 0)) | 0;
  }
}

/** What each term of a model weighs in a vector, for a single occurrence of it. */
const sharesByModel = new WeakMap<SearchModel, Float64Array>();
function sharesOf(model: SearchModel): Float64Array {
  let shares = sharesByModel.get(model);
  if (!shares) {
    shares = Float64Array.from(model.scales, (scale, term) => vectorWeight(1, idfOf(model, term)) * scale);
    sharesByModel.set(model, shares);
  }
  return shares;
}

function toUnitLength(sum: Int32Array): Float32Array | undefined {
  let squares = 0;
  for (let i = 0; i < sum.length; i++) squares += (sum[i] as number) ** 2;
  if (squares === 0) return undefined;
  const length = Math.sqrt(squares);
  const vector = new Float32Array(sum.length);
  for (let i = 0; i < sum.length; i++) vector[i] = (sum[i] as number) / length;
  return vector;
}

/** The learned vector of a text, of length 1; undefined when none of its terms has one. */
export function learnedVector(model: SearchModel, counts: ReadonlyMap<number, number>): Float32Array | undefined {
  const { dimension, vectors } = model;
  const shares = sharesOf(model);
  // The vectors that fill up the last four have no weight.
  const size = Math.ceil(counts.size / 4) * 4;
  const [starts, weights, exact] = [new Int32Array(size), new Int32Array(size), new Float64Array(size)];
  let [used, most, all] = [0, 0, 0];
  counts.forEach((count, term) => {
    if (term >= shares.length) return;
    const share = (shares[term] as number) * (count === 1 ? 1 : vectorWeight(count, 1) / vectorWeight(1, 1));
    starts[used] = term * dimension;
    exact[used++] = share;
    most = Math.max(most, share);
    all += share;
  });
  if (most === 0) return undefined;
  const unit = Math.min(mostWeight / most, mostOfAll / all);
  for (let at = 0; at < used; at++) weights[at] = Math.round((exact[at] as number) * unit);
  const sum = new Int32Array(dimension);
  for (let at = 0; at < used; at += 4) addFour(sum, vectors, starts, weights, at);
  return toUnitLength(sum);
}

export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number);
  return sum;
}
