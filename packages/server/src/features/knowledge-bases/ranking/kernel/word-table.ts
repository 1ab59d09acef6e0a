import { isLetter, mostCharacters, prepareText } from '../split-words.ts';
import { makeTextSplitter, type SplitText } from './text-splitter.ts';

/** The terms of words, found in a text without making a string of each word: searches read some hundred texts each. */
export interface WordTable {
  split(text: string): SplitText;
}

/** The term of a word that the table does not have. */
export const missing = -2;

/** Most passages have no headings. */
const noTerms = new Int32Array();
/** Used by each call anew. Normalizing can make a text longer. */
let found = new Int32Array(mostCharacters);

/** So many places are tried for a word, since an author of documents may choose words of one hash. */
const mostTries = 32;

const [firstHash, hashFactor] = [0x811c9dc5 | 0, 0x01000193];

/** Splits texts in WebAssembly where it can be used, or else in JavaScript. */
export function makeWordTable(termOf: ReadonlyMap<string, number>, make = makeTextSplitter): WordTable {
  let splitFast: ReturnType<typeof makeTextSplitter> | undefined;
  try {
    splitFast = make(termOf);
  } catch {
    // No memory, or the file is not the one that was built.
  }
  let plain: WordTable | undefined;
  function splitPlain(text: string): SplitText {
    plain ??= makePlainTable(termOf);
    return plain.split(text);
  }
  return { split: (text) => splitFast?.(text) ?? splitPlain(text) };
}

function makePlainTable(termOf: ReadonlyMap<string, number>): WordTable {
  const words = [...termOf.keys()];
  const letters = new Uint16Array(words.reduce((sum, word) => sum + word.length, 0));
  const starts = new Uint32Array(words.length + 1);
  const terms = Int32Array.from(termOf.values());
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, words.length * 2)));
  /** The number of a word, from 1, at its hash or the next free place after it. */
  const slots = new Uint32Array(size);
  /** Whether words were left out because the places after their hash were taken. */
  let isCrowded = false;
  words.forEach((word, index) => {
    const start = starts[index] as number;
    let hash = firstHash;
    for (let at = 0; at < word.length; at++) {
      letters[start + at] = word.charCodeAt(at);
      hash = Math.imul(hash ^ word.charCodeAt(at), hashFactor);
    }
    starts[index + 1] = start + word.length;
    for (let tries = 0; tries < mostTries; tries++) {
      const slot = (hash + tries) & (size - 1);
      if (slots[slot] !== 0) continue;
      slots[slot] = index + 1;
      return;
    }
    isCrowded = true;
  });

  function isWord(index: number, lower: string, start: number, end: number): boolean {
    const from = starts[index] as number;
    if ((starts[index + 1] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (letters[from + at - start] !== lower.charCodeAt(at)) return false;
    return true;
  }

  function find(lower: string, start: number, end: number, hash: number): number {
    for (let tries = 0; tries < mostTries; tries++) {
      const index = (slots[(hash + tries) & (size - 1)] as number) - 1;
      if (index === -1) return missing;
      if (isWord(index, lower, start, end)) return terms[index] as number;
    }
    return isCrowded ? (termOf.get(lower.slice(start, end)) ?? missing) : missing;
  }

  return {
    split(text) {
      const lower = prepareText(text);
      if (lower.length > found.length) found = new Int32Array(lower.length);
      const unknown: string[] = [];
      let [start, hash, count] = [-1, firstHash, 0];
      for (let at = 0; at <= lower.length; at++) {
        const unit = at < lower.length ? lower.charCodeAt(at) : 0;
        if (isLetter(unit)) {
          if (start === -1) {
            start = at;
            hash = firstHash;
          }
          hash = Math.imul(hash ^ unit, hashFactor);
        } else if (start !== -1) {
          const term = find(lower, start, at, hash);
          found[count++] = term;
          if (term === missing) unknown.push(lower.slice(start, at));
          start = -1;
        }
      }
      return { terms: count ? found.slice(0, count) : noTerms, unknown };
    },
  };
}
