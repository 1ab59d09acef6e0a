import { longestEnding, type ParsedQuestion, parseQuestion, type QuestionWord } from './parse-question.ts';
import type { PassageSet } from './passage-set.ts';
import { type CandidatePassage, withUnknown } from './passage-terms.ts';
import { makeTextScorer } from './score-passages.ts';
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

/** The places of the passages in which words that the model does not have may be forms of words of the question. */
function findHolders({ unknown, holders }: PassageSet, { forms }: ParsedQuestion): Set<number> {
  const found = new Set<number>();
  const add = (word: string) => {
    for (const place of holders.get(word) ?? []) found.add(place);
  };
  for (const { word, beginning } of forms) {
    add(word);
    for (let at = placeIn(unknown, beginning); unknown[at]?.startsWith(beginning); at++)
      if ((unknown[at] as string).length - beginning.length <= longestEnding) add(unknown[at] as string);
  }
  return found;
}

/**
 * Picks the passages of a set that have any of the words, the best by BM25. Undefined when stop words are among the words,
 * which a set does not have.
 */
export function makePickCandidates(model: SearchModel, words: readonly QuestionWord[]) {
  const question = parseQuestion(model, words);
  if (question.hasStopWords) return undefined;
  const scoreText = makeTextScorer(model, question.terms);
  return (set: PassageSet, most: number): CandidatePassage[] => {
    const holders = findHolders(set, question);
    return set.passages
      .map(({ known: { text, unknown } }, place) => ({
        place,
        score: scoreText(holders.has(place) ? withUnknown(text, unknown, question.termOf) : text),
      }))
      .filter(({ score }) => score > 0)
      .sort((x, y) => y.score - x.score || x.place - y.place)
      .slice(0, most)
      .flatMap(({ place }) => set.passages[place] ?? []);
  };
}
