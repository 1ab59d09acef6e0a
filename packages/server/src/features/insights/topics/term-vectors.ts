import type { Words } from './extract-terms.ts';

/** How much of each term: of a conversation, or the sum of those under a topic. */
export type Weights = Map<string, number>;

/** In how many conversations of an agent each term was said. */
export interface Frequencies {
  conversations: number;
  terms: Map<string, number>;
}

/** A frequent word counts more, but not in proportion. */
export const weightsOf = ({ words }: Words): Weights =>
  new Map(Object.entries(words).map(([term, { count }]) => [term, 1 + Math.log(count)]));

export function noteTerms(frequencies: Frequencies, weights: Weights): void {
  frequencies.conversations += 1;
  for (const term of weights.keys()) frequencies.terms.set(term, (frequencies.terms.get(term) ?? 0) + 1);
}

/** The rarer a term, the better it tells conversations apart. */
export function rarity({ conversations, terms }: Frequencies, term: string): number {
  return Math.log((conversations + 2) / ((terms.get(term) ?? 0) + 1));
}

/** Weighted by rarity and of length one, so that a product of two is how alike they are. */
export function unit(weights: Weights, frequencies: Frequencies): Weights {
  const out: Weights = new Map();
  let square = 0;
  for (const [term, weight] of weights) {
    const value = weight * rarity(frequencies, term);
    if (value <= 0) continue;
    out.set(term, value);
    square += value * value;
  }
  const length = Math.sqrt(square) || 1;
  for (const [term, value] of out) out.set(term, value / length);
  return out;
}

export function likeness(one: Weights, other: Weights): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [term, value] of few) sum += value * (many.get(term) ?? 0);
  return sum;
}

const mostTerms = 120;

/** The sum of both, of its strongest terms. */
export function sumOf(one: Weights, other: Weights): Weights {
  const sum = new Map(one);
  for (const [term, value] of other) sum.set(term, (sum.get(term) ?? 0) + value);
  if (sum.size <= mostTerms) return sum;
  return new Map([...sum].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, mostTerms));
}
