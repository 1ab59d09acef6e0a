import { makeTermVectors, type TermVectors } from './kernel/term-vectors.ts';
import { vectorWeight } from './learning/learn-search-model.ts';
import type { WeightedTerm } from './parse-question.ts';
import { idfOf, type SearchModel } from './search-model.ts';

/** Weights become whole numbers up to this: with those of the vectors, sums are whole too, and the same in any order. */
const mostWeight = 32_767;
/** Of all weights of a text, so that no sum of them and of vectors up to 127 leaves 32 bits. */
const mostOfAll = 16_000_000;

interface VectorsOfModel {
  /** What each term of the model weighs in a vector, for a single occurrence of it. */
  shares: Float64Array;
  vectors: TermVectors;
}

const known = new WeakMap<SearchModel, VectorsOfModel>();
export function vectorsOf(model: SearchModel): VectorsOfModel {
  let own = known.get(model);
  if (!own) {
    const shares = Float64Array.from(model.scales, (scale, term) => vectorWeight(1, idfOf(model, term)) * scale);
    own = { shares, vectors: makeTermVectors(model.vectors, model.dimension) };
    known.set(model, own);
  }
  return own;
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

function makeRoom(size: number): void {
  if (size <= starts.length) return;
  [starts, weights, exact] = [new Int32Array(size), new Int32Array(size), new Float64Array(size)];
}

/** The vector of the first `used` terms, whose places are in `starts` and whose weights are in `exact`. */
function addWeighted(vectors: TermVectors, used: number): Float32Array | undefined {
  let [most, all] = [0, 0];
  for (let at = 0; at < used; at++) {
    most = Math.max(most, exact[at] as number);
    all += exact[at] as number;
  }
  if (most === 0) return undefined;
  const unit = Math.min(mostWeight / most, mostOfAll / all);
  for (let at = 0; at < used; at++) weights[at] = Math.round((exact[at] as number) * unit);
  return toUnitLength(vectors.add(starts, weights, used));
}

/** What a term weighs that a text has more than once, for what it weighs once. */
const repeated = (count: number) => vectorWeight(count, 1) / vectorWeight(1, 1);

/** The learned vector of a text by how often it has each term, of length 1; undefined when none of its terms has one. */
export function learnedVector(model: SearchModel, counts: ReadonlyMap<number, number>): Float32Array | undefined {
  const { shares, vectors } = vectorsOf(model);
  makeRoom(counts.size);
  let used = 0;
  counts.forEach((count, term) => {
    if (term >= shares.length) return;
    starts[used] = term * model.dimension;
    exact[used++] = (shares[term] as number) * (count === 1 ? 1 : repeated(count));
  });
  return addWeighted(vectors, used);
}

/** The learned vector of a question. */
export const learnedVectorOfTerms = (model: SearchModel, terms: readonly WeightedTerm[]): Float32Array | undefined =>
  learnedVector(model, new Map(terms.map(({ term, weight }) => [term, weight])));

/** How often the text has each term of the model; all 0 between calls. */
let counts = new Uint32Array(1024);

/** The same, of the terms of a text in their order. */
export function learnedVectorOfText(model: SearchModel, text: Int32Array): Float32Array | undefined {
  const { shares, vectors } = vectorsOf(model);
  makeRoom(text.length);
  if (counts.length < shares.length) counts = new Uint32Array(shares.length);
  let used = 0;
  for (let at = 0; at < text.length; at++) {
    const term = text[at] as number;
    if (term < 0 || term >= shares.length) continue;
    const before = counts[term] as number;
    if (before === 0) starts[used++] = term;
    counts[term] = before + 1;
  }
  for (let at = 0; at < used; at++) {
    const term = starts[at] as number;
    const count = counts[term] as number;
    counts[term] = 0;
    starts[at] = term * model.dimension;
    exact[at] = (shares[term] as number) * (count === 1 ? 1 : repeated(count));
  }
  return addWeighted(vectors, used);
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
