import type { WeightedTerm } from './parse-question.ts';
import type { PassageTerms } from './passage-terms.ts';
import type { SearchModel } from './search-model.ts';

/** The parameters of BM25. */
const [k1, b] = [1.2, 0.75];

/** How often each term is in a text. */
export function countTerms(text: Int32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of text) if (term >= 0) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** The words of a text without stop words. */
export function lengthOf(text: Int32Array): number {
  let length = 0;
  for (const term of text) if (term !== -1) length++;
  return length;
}

/** BM25 of one term in a text of a length. `gain`: what the term says. */
export function scoreTerm(gain: number, count: number, length: number, average: number): number {
  const share = average > 0 ? length / average : 1;
  return (gain * count * (k1 + 1)) / (count + k1 * (1 - b + b * share));
}

/** BM25 of weighted terms, for the texts and the headings of passages. */
export function makeScorer(model: SearchModel, terms: readonly WeightedTerm[]) {
  // Feedback may bring a term of the question once more.
  const weights = new Map<number, number>();
  for (const { term, weight, idf } of terms) weights.set(term, (weights.get(term) ?? 0) + weight * idf);
  const gains = Float64Array.from(weights.values());
  const counts = new Uint32Array(gains.length);
  // The places of the terms among the gains, from 1. An array, because every word of every passage is looked up in it.
  const places = new Uint16Array(Math.max(-1, ...weights.keys()) + 1);
  [...weights.keys()].forEach((term, place) => {
    places[term] = place + 1;
  });
  const score = (text: Int32Array, length: number, average: number) => {
    counts.fill(0);
    for (let at = 0; at < text.length; at++) {
      const term = text[at] as number;
      const place = term >= 0 && term < places.length ? (places[term] as number) : 0;
      if (place > 0) counts[place - 1] = (counts[place - 1] as number) + 1;
    }
    let sum = 0;
    for (let place = 0; place < gains.length; place++) {
      const count = counts[place] as number;
      if (count) sum += scoreTerm(gains[place] as number, count, length, average);
    }
    return sum;
  };
  return ({ text, heading }: PassageTerms) => ({
    text: score(text, lengthOf(text), model.textLength),
    heading: score(heading, heading.length, model.headingLength),
  });
}

/** Words so far apart count as near each other. */
const nearWords = 8;

/** How many of the question's neighbouring terms stand near each other in a passage, from 0 to 1. */
export function makeProximity(terms: readonly WeightedTerm[]) {
  const next = new Map(terms.slice(1).map(({ term }, at) => [terms[at]?.term ?? -1, term]));
  const asked = new Set(terms.map(({ term }) => term));
  return ({ text }: PassageTerms): number => {
    if (terms.length < 2) return 0;
    const places: number[] = [];
    for (let at = 0; at < text.length; at++) if (asked.has(text[at] as number)) places.push(at);
    const pairs = new Map<number, number>();
    for (let at = 0; at < places.length; at++)
      for (let other = at + 1; other < places.length; other++) {
        const [first, second] = [places[at] as number, places[other] as number];
        if (second - first > nearWords) break;
        const [one, two] = [text[first] as number, text[second] as number];
        const closeness = 1 / (second - first);
        if (next.get(one) === two) pairs.set(one, Math.max(pairs.get(one) ?? 0, closeness));
        if (next.get(two) === one) pairs.set(two, Math.max(pairs.get(two) ?? 0, closeness));
      }
    return [...pairs.values()].reduce((sum, value) => sum + value, 0) / (terms.length - 1);
  };
}
