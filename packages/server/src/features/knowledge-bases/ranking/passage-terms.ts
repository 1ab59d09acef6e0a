import { crc32 } from 'node:zlib';
import { LruCache } from '../../../lib/lru-cache.ts';
import { makeWordTable, type WordTable } from './kernel/word-table.ts';
import type { ParsedQuestion } from './parse-question.ts';
import type { SearchModel } from './search-model.ts';
import { eachWord } from './split-words.ts';

/** A text as terms, one for each word in its order; -1: a stop word, -2: a word that is no term. */
type Terms = Int32Array;

/** A passage as terms of a model. */
export interface PassageTerms {
  id: string;
  text: Terms;
  heading: Terms;
}

/** A passage as terms, for any question. */
export interface KnownPassage extends Omit<PassageTerms, 'id'> {
  /** Of the texts: an edited passage keeps its id. */
  print: number;
  /** The words that the model does not have, in the order of their places. */
  unknown: string[];
  unknownOfHeading: string[];
  vector?: Float32Array | undefined;
}

const [bytesOfEntry, mostBytes] = [400 + 4 * 256, 48_000_000];

/** About the bytes of memory that a passage takes, the same before and after its vector is made. */
export const sizeOf = ({ text, heading, unknown, unknownOfHeading }: KnownPassage) =>
  bytesOfEntry + 4 * (text.length + heading.length) + 24 * (unknown.length + unknownOfHeading.length);

/** The terms of a text for one question. */
function termsIn(text: string, termOf: (word: string) => number): Terms {
  const terms: number[] = [];
  eachWord(text, (word) => terms.push(termOf(word)));
  return Int32Array.from(terms);
}

const tables = new WeakMap<SearchModel, WordTable>();
function tableOf(model: SearchModel): WordTable {
  let table = tables.get(model);
  if (!table) {
    table = makeWordTable(model.termOf);
    tables.set(model, table);
  }
  return table;
}

/** The words that the model does not have may be those of the question. */
function withUnknown(terms: Terms, unknown: readonly string[], termOf: (word: string) => number): Terms {
  if (unknown.length === 0) return terms;
  const found = unknown.map(termOf);
  if (found.every((term) => term === -2)) return terms;
  let place = 0;
  return terms.map((term) => (term === -2 ? (found[place++] ?? -2) : term));
}

interface Texts {
  text: string;
  heading: string;
}

/** One number, which differs for nearly all other texts. */
const printOf = ({ text, heading }: Texts) => crc32(heading, crc32(text));

/** Splits a passage into terms, unless `before` is of the same texts. */
export function splitPassage(model: SearchModel, texts: Texts, before?: KnownPassage): KnownPassage {
  const print = printOf(texts);
  if (before?.print === print) return before;
  const table = tableOf(model);
  const [text, heading] = [table.split(texts.text), table.split(texts.heading)];
  return {
    ...{ print, unknown: text.unknown, unknownOfHeading: heading.unknown },
    ...{ text: text.terms, heading: heading.terms },
  };
}

/** A passage to score: with its texts, or as the terms that a set of passages keeps. */
export type CandidatePassage = { id: string } & (Texts | { known: KnownPassage });

/** Splits passages into terms and remembers them, because questions about one subject find the same passages. */
export function makePassageReader() {
  const known = new LruCache<string, KnownPassage>({ max: mostBytes, weigh: sizeOf });
  const numbers = new WeakMap<SearchModel, number>();
  let models = 0;

  function numberOf(model: SearchModel): number {
    let number = numbers.get(model);
    if (number === undefined) {
      number = models++;
      numbers.set(model, number);
    }
    return number;
  }

  function entryOf(model: SearchModel, passage: CandidatePassage): KnownPassage {
    if ('known' in passage) return passage.known;
    const key = `${numberOf(model)} ${passage.id}`;
    const before = known.get(key);
    const entry = splitPassage(model, passage, before);
    if (entry !== before) known.set(key, entry);
    return entry;
  }

  return {
    /** A passage as terms for a question; `known`: the same for any question. */
    read(
      model: SearchModel,
      passage: CandidatePassage,
      { termOf, hasStopWords }: ParsedQuestion,
    ): PassageTerms & { known: KnownPassage } {
      const { id } = passage;
      const own = entryOf(model, passage);
      // Stop words that the question keeps are terms for it alone.
      if (hasStopWords && 'text' in passage)
        return { id, known: own, text: termsIn(passage.text, termOf), heading: termsIn(passage.heading, termOf) };
      return {
        ...{ id, known: own },
        text: withUnknown(own.text, own.unknown, termOf),
        heading: withUnknown(own.heading, own.unknownOfHeading, termOf),
      };
    },
  };
}

export type PassageReader = ReturnType<typeof makePassageReader>;
