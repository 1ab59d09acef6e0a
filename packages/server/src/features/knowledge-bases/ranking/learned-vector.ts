import { type AddVectors, makeAddVectors } from './kernel/add-vectors.ts';
import { vectorWeight } from './learn-search-model.ts';
import { idfOf, type SearchModel } from './search-model.ts';

/** Weights become whole numbers up to this: with those of the vectors, sums are whole too, and the same in any order. */
const mostWeight = 32_767;
/** Of all weights of a text, so that no sum of them and of vectors up to 127 leaves 32 bits. */
const mostOfAll = 16_000_000;

interface Adder {
  /** What each term of the model weighs in a vector, for a single occurrence of it. */
  shares: Float64Array;
  add: AddVectors;
}

const adders = new WeakMap<SearchModel, Adder>();
function adderOf(model: SearchModel): Adder {
  let adder = adders.get(model);
  if (!adder) {
    const shares = Float64Array.from(model.scales, (scale, term) => vectorWeight(1, idfOf(model, term)) * scale);
    adder = { shares, add: makeAddVectors(model.vectors, model.dimension) };
    adders.set(model, adder);
  }
  return adder;
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

/** Used by each call anew: a search makes some hundred vectors. */
let [starts, weights, exact] = [new Int32Array(1024), new Int32Array(1024), new Float64Array(1024)];

/** The learned vector of a text, of length 1; undefined when none of its terms has one. */
export function learnedVector(model: SearchModel, counts: ReadonlyMap<number, number>): Float32Array | undefined {
  const { dimension } = model;
  const { shares, add } = adderOf(model);
  if (counts.size > starts.length)
    [starts, weights, exact] = [
      new Int32Array(counts.size),
      new Int32Array(counts.size),
      new Float64Array(counts.size),
    ];
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
  return toUnitLength(add(starts, weights, used));
}

/** Of vectors of length 1. In two sums, because each addition waits for the one before. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let [even, odd, i] = [0, 0, 0];
  for (; i + 1 < one.length; i += 2) {
    even += (one[i] as number) * (other[i] as number);
    odd += (one[i + 1] as number) * (other[i + 1] as number);
  }
  return i < one.length ? even + odd + (one[i] as number) * (other[i] as number) : even + odd;
}
