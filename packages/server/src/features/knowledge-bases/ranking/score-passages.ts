import { vectorWeight } from './learn-search-model.ts';
import type { ParsedQuestion, WeightedTerm } from './parse-question.ts';
import { idfOf, type SearchModel } from './search-model.ts';
import { eachWord } from './split-words.ts';

/** The parameters of BM25. */
const [k1, b] = [1.2, 0.75];

/** A passage as terms. */
export interface CountedPassage {
  id: string;
  counts: Map<number, number>;
  /** Its words without stop words. */
  length: number;
  heading: Map<number, number>;
  headingLength: number;
  /** The terms of the question in it, with their places among its words. */
  places: { term: number; place: number }[];
}

function countTerms(text: string, termOf: (word: string) => number, use?: (term: number, place: number) => void) {
  const counts = new Map<number, number>();
  let [place, length] = [0, 0];
  eachWord(text, (word) => {
    const term = termOf(word);
    place++;
    if (term === -1) return;
    length++;
    if (term < 0) return;
    counts.set(term, (counts.get(term) ?? 0) + 1);
    use?.(term, place);
  });
  return { counts, length, words: place };
}

export function countPassage(
  { id, text, heading }: { id: string; text: string; heading: string },
  { terms, termOf }: ParsedQuestion,
): CountedPassage {
  const asked = new Set(terms.map(({ term }) => term));
  const places: CountedPassage['places'] = [];
  const body = countTerms(text, termOf, (term, place) => {
    if (asked.has(term)) places.push({ term, place });
  });
  const above = countTerms(heading, termOf);
  return {
    ...{ id, counts: body.counts, length: body.length, places },
    ...{ heading: above.counts, headingLength: above.words },
  };
}

/** BM25 of a field for weighted terms. */
function bm25(counts: ReadonlyMap<number, number>, length: number, average: number, terms: readonly WeightedTerm[]) {
  const share = average > 0 ? length / average : 1;
  let score = 0;
  for (const { term, weight, idf } of terms) {
    const count = counts.get(term);
    if (count) score += (weight * idf * count * (k1 + 1)) / (count + k1 * (1 - b + b * share));
  }
  return score;
}

export const scoreText = (model: SearchModel, passage: CountedPassage, terms: readonly WeightedTerm[]): number =>
  bm25(passage.counts, passage.length, model.textLength, terms);

export const scoreHeading = (model: SearchModel, passage: CountedPassage, terms: readonly WeightedTerm[]): number =>
  bm25(passage.heading, passage.headingLength, model.headingLength, terms);

/** Words so far apart count as near each other. */
const nearWords = 8;

/** How many of the question's neighbouring terms stand near each other in a passage, from 0 to 1. */
export function scoreProximity({ places }: CountedPassage, terms: readonly WeightedTerm[]): number {
  if (terms.length < 2) return 0;
  const next = new Map(terms.slice(1).map(({ term }, at) => [terms[at]?.term ?? -1, term]));
  const pairs = new Map<number, number>();
  for (let at = 0; at < places.length; at++)
    for (let other = at + 1; other < places.length; other++) {
      const [first, second] = [places[at], places[other]];
      if (!first || !second || second.place - first.place > nearWords) break;
      const closeness = 1 / (second.place - first.place);
      for (const [one, two] of [
        [first.term, second.term],
        [second.term, first.term],
      ] as const)
        if (next.get(one) === two) pairs.set(one, Math.max(pairs.get(one) ?? 0, closeness));
    }
  return [...pairs.values()].reduce((sum, value) => sum + value, 0) / (terms.length - 1);
}

/** The learned vector of a text; undefined when none of its terms has one. */
export function learnedVector(
  model: SearchModel,
  counts: Iterable<readonly [number, number]>,
): Float32Array | undefined {
  const { dimension, vectors, scales } = model;
  const sum = new Float32Array(dimension);
  let found = false;
  for (const [term, count] of counts) {
    if (term >= scales.length) continue;
    found = true;
    const [weight, from] = [vectorWeight(count, idfOf(model, term)) * (scales[term] ?? 0), term * dimension];
    for (let i = 0; i < dimension; i++) sum[i] = (sum[i] as number) + weight * (vectors[from + i] as number);
  }
  const length = Math.hypot(...sum);
  return found && length > 0 ? sum.map((value) => value / length) : undefined;
}

export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number);
  return sum;
}
