import { splitSentencesAndHeadings } from '../../../lib/text/split-sentences.ts';
import { termsOf } from '../../../lib/text/terms.ts';
import type { Passage } from './passages.ts';

export interface Quote {
  text: string;
  title: string;
  url: string | null;
  /** How much of the question it is about: 0 nothing, 1 everything. */
  coverage: number;
}

interface Candidate {
  text: string;
  passage: Passage;
  terms: string[];
  title: Set<string>;
  around: Set<string>;
}

/** The most characters that are ranked; the rest of a long history is ignored. */
const max_characters = 400_000;
const [k1, b] = [1.2, 0.6];

/**
 * Each sentence knows its title and its neighbours: "It lasts two years" is about the kettle named before it. A heading is
 * no answer: its words count for what stands under it, most of all for the first sentence there.
 */
function candidatesOf(passage: Passage, text: string): Candidate[] {
  const title = new Set(termsOf(passage.title));
  const all = splitSentencesAndHeadings(text).map((one) => ({ ...one, terms: termsOf(one.text) }));
  // A heading without its section is better than nothing.
  const sentences = all.some(({ heading }) => !heading) ? all : all.map((one) => ({ ...one, heading: false }));
  let [over, fresh]: [string[], boolean] = [[], false];
  return sentences.flatMap(({ text, heading, terms }, at) => {
    if (heading) {
      over = fresh ? [...over, ...terms] : terms;
      fresh = true;
      return [];
    }
    const own = fresh ? [...over, ...terms] : terms;
    fresh = false;
    const around = new Set([...over, ...(sentences[at - 1]?.terms ?? []), ...(sentences[at + 1]?.terms ?? [])]);
    return [{ text, passage, terms: own, title, around }];
  });
}

function candidatesIn(passages: readonly Passage[]): Candidate[] {
  let left = max_characters;
  return passages.flatMap((passage) => {
    const text = passage.text.slice(0, left);
    left -= text.length;
    return candidatesOf(passage, text);
  });
}

/** BM25 over sentences, best first: rare words count more, long sentences less, neighbours a little. */
export function rankSentences(question: string, passages: readonly Passage[], most = 4): Quote[] {
  const asked = [...new Set(termsOf(question))];
  const candidates = candidatesIn(passages);
  if (asked.length === 0 || candidates.length === 0) return [];
  const average = candidates.reduce((sum, { terms }) => sum + terms.length, 0) / candidates.length || 1;
  const holding = new Map(asked.map((term) => [term, 0]));
  for (const { terms } of candidates)
    for (const term of new Set(terms)) {
      const count = holding.get(term);
      if (count !== undefined) holding.set(term, count + 1);
    }
  const rarity = (term: string) => Math.log(1 + (candidates.length + 0.5) / ((holding.get(term) ?? 0) + 0.5));
  const whole = asked.reduce((sum, term) => sum + rarity(term), 0);

  const scored = candidates.map((candidate, at) => {
    let [score, covered, own] = [0, 0, 0];
    for (const term of asked) {
      const times = candidate.terms.filter((one) => one === term).length;
      const length = 1 - b + (b * candidate.terms.length) / average;
      // The title holds for each of its sentences, so its words in a sentence count little.
      const entitled = candidate.title.has(term);
      if (entitled) score += 0.6 * rarity(term);
      if (times > 0) {
        score += ((entitled ? 0.4 : 1) * (rarity(term) * times * (k1 + 1))) / (times + k1 * length);
        covered += rarity(term);
        own += 1;
      } else if (entitled || candidate.around.has(term)) {
        score += entitled ? 0 : 0.3 * rarity(term);
        covered += 0.5 * rarity(term);
      }
    }
    // A heading that repeats the question says less than the sentence under it.
    if (candidate.terms.length <= own && candidate.terms.length > 0) score *= 0.6;
    return { candidate, at, own, score: score * candidate.passage.weight, coverage: covered / whole };
  });
  return chooseQuotes(scored, most).map(({ candidate, coverage }) => ({
    text: candidate.text,
    title: candidate.passage.title,
    url: candidate.passage.url,
    coverage,
  }));
}

interface Scored {
  candidate: Candidate;
  at: number;
  own: number;
  score: number;
  coverage: number;
}

/** The sentences with a score near the best one, without repetitions. */
function chooseQuotes(scored: Scored[], most: number): Scored[] {
  const best = scored
    .filter(({ score, coverage, own }) => score > 0 && coverage >= 0.3 && own > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at);
  const quotes: Scored[] = [];
  for (const one of best) {
    if (quotes.length >= most || one.score < 0.55 * (best[0]?.score ?? 0)) break;
    const terms = new Set(one.candidate.terms);
    const repeats = quotes.some(({ candidate }) => {
      const shared = candidate.terms.filter((term) => terms.has(term)).length;
      return candidate.text === one.candidate.text || shared > 0.8 * Math.max(candidate.terms.length, terms.size);
    });
    if (!repeats) quotes.push(one);
  }
  return quotes;
}
