import { crc32 } from 'node:zlib';
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

/** The texts of a passage as terms, for any question. */
export interface SplitPassage extends Omit<PassageTerms, 'id'> {
  /** The words that the model does not have, in the order of their places. */
  unknown: string[];
  unknownOfHeading: string[];
  vector?: Float32Array | undefined;
}

/** A passage that a set keeps. */
export interface KnownPassage extends SplitPassage {
  /** Of the texts: an edited passage keeps its id. */
  print: number;
}

const bytesOfEntry = 400 + 4 * 256;

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

function splitTexts(model: SearchModel, texts: Texts): SplitPassage {
  const table = tableOf(model);
  const [text, heading] = [table.split(texts.text), table.split(texts.heading)];
  return {
    text: text.terms,
    heading: heading.terms,
    unknown: text.unknown,
    unknownOfHeading: heading.unknown,
    vector: undefined,
  };
}

/** Splits a passage into terms, unless `before` is of the same texts. */
export function splitPassage(model: SearchModel, texts: Texts, before?: KnownPassage): KnownPassage {
  const print = printOf(texts);
  return before?.print === print ? before : { ...splitTexts(model, texts), print };
}

/** A passage to score: with its texts, or as the terms that a set of passages keeps. */
export type CandidatePassage = { id: string } & (Texts | { known: KnownPassage });

/**
 * A passage as terms for a question; `known`: the same for any question. Nothing is remembered for the next question: to
 * split a text takes some microseconds, and long lists of split ones make each collection of garbage long.
 */
export function readPassage(
  model: SearchModel,
  passage: CandidatePassage,
  { termOf, hasStopWords }: ParsedQuestion,
): PassageTerms & { known: SplitPassage } {
  const { id } = passage;
  const known = 'known' in passage ? passage.known : splitTexts(model, passage);
  // Stop words that the question keeps are terms for it alone.
  if (hasStopWords && 'text' in passage)
    return { id, known, text: termsIn(passage.text, termOf), heading: termsIn(passage.heading, termOf) };
  return {
    ...{ id, known },
    text: withUnknown(known.text, known.unknown, termOf),
    heading: withUnknown(known.heading, known.unknownOfHeading, termOf),
  };
}
