import { longestEnding, type ParsedQuestion, parseQuestion, type QuestionWord } from './parse-question.ts';
import type { PassageSet } from './passage-set.ts';
import type { CandidatePassage } from './passage-terms.ts';
import { scoreTerm } from './score-passages.ts';
import type { SearchModel } from './search-model.ts';

/** The first place in a sorted list whose word is not before `word`. */
function placeIn(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The words that the model does not have and that may be forms of words of the question. */
function findForms({ unknown, occurrencesOfWord }: PassageSet, { forms }: ParsedQuestion): Set<string> {
  const found = new Set<string>();
  for (const { word, beginning } of forms) {
    if (occurrencesOfWord.has(word)) found.add(word);
    // What begins with two or three letters is mostly another word.
    const longest = Math.min(longestEnding, beginning.length - 2);
    for (let at = placeIn(unknown, beginning); unknown[at]?.startsWith(beginning); at++)
      if ((unknown[at] as string).length - beginning.length <= longest) found.add(unknown[at] as string);
  }
  return found;
}

/** How often each passage has each term of the question, by terms and places. */
function countOccurrences(set: PassageSet, question: ParsedQuestion): Map<number, Map<number, number>> {
  const counts = new Map(question.terms.map(({ term }) => [term, new Map<number, number>()]));
  const add = (term: number, occurrences: Uint16Array | undefined) => {
    const own = counts.get(term);
    if (!own || !occurrences) return;
    for (let at = 0; at < occurrences.length; at += 2) {
      const place = occurrences[at] as number;
      own.set(place, (own.get(place) ?? 0) + (occurrences[at + 1] as number));
    }
  };
  for (const { term } of question.terms) add(term, set.occurrencesOf.get(term));
  for (const word of findForms(set, question)) add(question.termOf(word), set.occurrencesOfWord.get(word));
  return counts;
}

/**
 * Picks the passages of sets that have any of the words, the best of all sets by BM25. Undefined when stop words are among
 * the words, which a set does not have.
 */
export function makePickCandidates(model: SearchModel, words: readonly QuestionWord[]) {
  const question = parseQuestion(model, words);
  if (question.hasStopWords) return undefined;
  const scoreSet = (set: PassageSet) => {
    const counts = countOccurrences(set, question);
    const scores = new Map<number, number>();
    for (const { term, weight, idf } of question.terms)
      for (const [place, count] of counts.get(term) ?? []) {
        const gain = scoreTerm(weight * idf, count, set.lengths[place] as number, model.textLength);
        scores.set(place, (scores.get(place) ?? 0) + gain);
      }
    return [...scores].map(([place, score]) => ({ set, place, score })).sort((x, y) => x.place - y.place);
  };
  return (sets: readonly PassageSet[], most: number): CandidatePassage[] =>
    sets
      .flatMap(scoreSet)
      .sort((x, y) => y.score - x.score)
      .slice(0, most)
      .flatMap(({ set, place }) => set.passages[place] ?? []);
}
