import { parseStored } from '../../../lib/json/parse-stored.ts';
import type { IndexStorage } from './index-storage.ts';

/** How common words are in an index, from a sample of its rows. */
export interface TermStatistics {
  rows: number;
  /** The average length of a row in words. */
  length: number;
  /** The share of rows that have a word, for words that more than one row of the sample has. */
  shares: ReadonlyMap<string, number>;
}

interface StoredStatistics extends Omit<TermStatistics, 'shares'> {
  shares: Record<string, number>;
}

const fileName = 'statistics.json';
export const sampleSize = 2000;
/** Words are compared by so many first letters: crude, but the same for all languages. */
const stemLength = 5;
/** The parameters of BM25 that the engine uses too. */
const [k1, b] = [1.2, 0.75];

/** Whether a UTF-16 unit beyond ASCII is part of a word; the halves of pairs count as letters. */
const letters = new Map<number, boolean>();
function isLetter(unit: number): boolean {
  if (unit < 128) return (unit > 96 && unit < 123) || (unit > 64 && unit < 91) || (unit > 47 && unit < 58);
  let known = letters.get(unit);
  if (known === undefined) {
    known = (unit >= 0xd800 && unit < 0xe000) || /[\p{L}\p{N}]/u.test(String.fromCharCode(unit));
    letters.set(unit, known);
  }
  return known;
}

const withoutMarks = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '');

/** Calls back with the stem of each word; by hand, because searches do this for every passage they find. */
function eachWord(text: string, use: (word: string) => void): void {
  const folded = text.replaceAll(/[^\0-\x7f]+/g, withoutMarks).toLowerCase();
  let start = -1;
  for (let at = 0; at <= folded.length; at++) {
    if (at < folded.length && isLetter(folded.charCodeAt(at))) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      use(folded.slice(start, Math.min(at, start + stemLength)));
      start = -1;
    }
  }
}

function wordsIn(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word) => words.push(word));
  return words;
}

/** Counts the words of a sample; `rows` is how many rows the index has. */
export function countTerms(sample: readonly string[], rows: number): TermStatistics {
  const counts = new Map<string, number>();
  let length = 0;
  for (const text of sample) {
    const words = wordsIn(text);
    length += words.length;
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const size = Math.max(1, sample.length);
  const common = [...counts].filter(([, count]) => count > 1);
  return { rows, length: length / size, shares: new Map(common.map(([word, count]) => [word, count / size])) };
}

export const storeStatistics = (storage: IndexStorage, path: string, { rows, length, shares }: TermStatistics) => {
  const stored: StoredStatistics = { rows, length, shares: Object.fromEntries(shares) };
  return storage.writeFile(path, fileName, Buffer.from(JSON.stringify(stored)));
};

export const hasStatistics = async (storage: IndexStorage, path: string) =>
  (await storage.readFile(path, fileName)) !== undefined;

/** Reads stored statistics; those of an index are read again only when they have changed. Undefined: there are none. */
export function makeStatisticsReader(storage: IndexStorage) {
  const known = new Map<string, { version: string; statistics: TermStatistics }>();
  return async (path: string): Promise<TermStatistics | undefined> => {
    const before = known.get(path);
    const file = await storage.readFile(path, fileName, before?.version);
    if (file === 'unchanged') return before?.statistics;
    if (!file) return undefined;
    const stored = parseStored<StoredStatistics>(file.bytes.toString());
    const statistics = { ...stored, shares: new Map(Object.entries(stored.shares)) };
    if (known.size >= 100) known.clear();
    known.set(path, { version: file.version, statistics });
    return statistics;
  };
}

/** The BM25 score of a text for a question, by the statistics of another index. Without them all words weigh the same. */
function makeScorer(question: string, statistics: TermStatistics | undefined): (text: string) => number {
  const rows = statistics?.rows ?? 0;
  const weightOf = (word: string) => {
    if (!statistics || rows === 0) return 1;
    const count = (statistics.shares.get(word) ?? 0.5 / Math.min(rows, sampleSize)) * rows;
    return Math.log(1 + (rows - count + 0.5) / (count + 0.5));
  };
  const weights = new Map<string, number>();
  for (const word of wordsIn(question)) weights.set(word, (weights.get(word) ?? 0) + weightOf(word));
  return (text) => {
    const counts = new Map<string, number>();
    let length = 0;
    eachWord(text, (word) => {
      length++;
      if (weights.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    });
    const long = statistics?.length ? length / statistics.length : 1;
    let score = 0;
    for (const [word, count] of counts)
      score += ((weights.get(word) ?? 0) * count * (k1 + 1)) / (count + k1 * (1 - b + b * long));
    return score;
  };
}

/** So many of the best hits are scored again: enough for the factor, and few enough for every search. */
const comparedHits = 5;

/**
 * What the scores of an index are multiplied by to be comparable with those of another: how the best hits would be scored
 * by the statistics of the other.
 */
export function findFactor(
  best: readonly { text?: string; _score: number }[],
  question: string,
  statistics: TermStatistics | undefined,
): number {
  const score = makeScorer(question, statistics);
  const compared = best.slice(0, comparedHits);
  const [here, there] = compared.reduce(
    ([own, other], hit) => [own + hit._score, other + score(hit.text ?? '')],
    [0, 0],
  );
  return here > 0 && there > 0 ? there / here : 1;
}
