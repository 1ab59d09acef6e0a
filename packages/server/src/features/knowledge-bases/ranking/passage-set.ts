import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { IndexPassage } from '../../../drivers/search-index/driver.ts';
import { type KnownPassage, sizeOf, splitPassage } from './passage-terms.ts';
import { countTerms, lengthOf } from './score-passages.ts';
import type { SearchModel } from './search-model.ts';

/** Where a term occurs: the place of a passage, how often it has the term, the next place, and so on. */
type Occurrences = Uint16Array;

/** All passages of a small index as terms of a model, and where each term and each other word occurs. */
export interface PassageSet {
  passages: readonly { id: string; known: KnownPassage }[];
  /** Of each passage, in words without stop words. */
  lengths: Uint32Array;
  occurrencesOf: ReadonlyMap<number, Occurrences>;
  /** Words that the model does not have. */
  occurrencesOfWord: ReadonlyMap<string, Occurrences>;
  /** The same words in order. */
  unknown: readonly string[];
  bytes: number;
}

/** So many passages are split before other work of the process has its turn. */
const passagesAtOnce = 100;
const bytesOfList = 150;
const mostCount = 65_535;

/** Gathers where terms or words occur. */
function makeOccurrences<T>() {
  const lists = new Map<T, number[]>();
  return {
    add(term: T, place: number, count: number): void {
      const list = lists.get(term);
      if (list) list.push(place, Math.min(count, mostCount));
      else lists.set(term, [place, Math.min(count, mostCount)]);
    },
    end: () => new Map([...lists].map(([term, list]) => [term, Uint16Array.from(list)])),
  };
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const sizeOfLists = (lists: ReadonlyMap<unknown, Occurrences>) =>
  lists.values().reduce((sum, list) => sum + bytesOfList + list.byteLength, 0);

/** Splits the passages of an index into terms. Those of `before`, by the same model, are split only if they have changed. */
export async function makePassageSet(
  model: SearchModel,
  rows: readonly IndexPassage[],
  before: PassageSet | undefined,
): Promise<PassageSet> {
  const split = new Map(before?.passages.map(({ id, known }) => [id, known]));
  const passages: { id: string; known: KnownPassage }[] = [];
  const [terms, words] = [makeOccurrences<number>(), makeOccurrences<string>()];
  for (const [place, { id, ...texts }] of rows.entries()) {
    const known = splitPassage(model, texts, split.get(id));
    passages.push({ id, known });
    for (const [term, count] of countTerms(known.text)) terms.add(term, place, count);
    for (const [word, count] of countWords(known.unknown)) words.add(word, place, count);
    if (place % passagesAtOnce === passagesAtOnce - 1) await yieldToEventLoop();
  }
  const [occurrencesOf, occurrencesOfWord] = [terms.end(), words.end()];
  const bytes = passages.reduce((sum, { known }) => sum + sizeOf(known), 0);
  return {
    ...{ passages, occurrencesOf, occurrencesOfWord },
    lengths: Uint32Array.from(passages, ({ known }) => lengthOf(known.text)),
    unknown: [...occurrencesOfWord.keys()].sort(),
    bytes: bytes + sizeOfLists(occurrencesOf) + sizeOfLists(occurrencesOfWord),
  };
}
