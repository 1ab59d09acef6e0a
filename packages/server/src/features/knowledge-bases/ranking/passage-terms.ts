import { LruCache } from '../../../lib/lru-cache.ts';
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

const [bytesOfEntry, mostBytes] = [400, 48_000_000];

/** About the bytes of memory that a passage takes, with its vector. */
export const sizeOf = ({ text, heading, unknown, unknownOfHeading, vector }: KnownPassage) =>
  bytesOfEntry +
  4 * (text.length + heading.length + (vector?.length ?? 256)) +
  24 * (unknown.length + unknownOfHeading.length);

/** One number for a text, which differs for nearly all other texts. */
function printOfText(text: string): number {
  let sum = text.length;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum;
}

/** The terms of a text; those words that are none are given to `use`. */
function termsIn(text: string, termOf: (word: string) => number, use?: (word: string) => void): Terms {
  const terms: number[] = [];
  eachWord(text, (word) => {
    const term = termOf(word);
    terms.push(term);
    if (term === -2) use?.(word);
  });
  return Int32Array.from(terms);
}

/** The words that the model does not have may be those of the question. */
function withUnknown(terms: Terms, unknown: readonly string[], termOf: (word: string) => number): Terms {
  const found = unknown.map(termOf);
  if (found.every((term) => term === -2)) return terms;
  let place = 0;
  return terms.map((term) => (term === -2 ? (found[place++] ?? -2) : term));
}

interface Texts {
  text: string;
  heading: string;
}

const printOf = ({ text, heading }: Texts) => printOfText(text) ^ printOfText(heading);

/** Splits a passage into terms, unless `before` is of the same texts. */
export function splitPassage(model: SearchModel, texts: Texts, before?: KnownPassage): KnownPassage {
  const print = printOf(texts);
  if (before?.print === print) return before;
  const termOf = (word: string) => model.termOf.get(word) ?? -2;
  const [unknown, unknownOfHeading]: [string[], string[]] = [[], []];
  return {
    ...{ print, unknown, unknownOfHeading },
    text: termsIn(texts.text, termOf, (word) => unknown.push(word)),
    heading: termsIn(texts.heading, termOf, (word) => unknownOfHeading.push(word)),
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
    const number = numbers.get(model) ?? models++;
    numbers.set(model, number);
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
    read(model: SearchModel, passage: CandidatePassage, { termOf, hasStopWords }: ParsedQuestion): PassageTerms {
      const { id } = passage;
      // Stop words that the question keeps are terms for it alone.
      if (hasStopWords && 'text' in passage)
        return { id, text: termsIn(passage.text, termOf), heading: termsIn(passage.heading, termOf) };
      const own = entryOf(model, passage);
      return {
        id,
        text: withUnknown(own.text, own.unknown, termOf),
        heading: withUnknown(own.heading, own.unknownOfHeading, termOf),
      };
    },

    /** The learned vector of a passage, made by `make` of its terms unless it is known. */
    vectorOf(
      model: SearchModel,
      passage: CandidatePassage,
      make: (text: Terms) => Float32Array | undefined,
    ): Float32Array | undefined {
      const own = entryOf(model, passage);
      own.vector ??= make(own.text);
      return own.vector;
    },
  };
}

export type PassageReader = ReturnType<typeof makePassageReader>;
