import { hash } from 'node:crypto';
import { type SearchModel, stemKey } from '../search-model.ts';
import { eachWord } from '../split-words.ts';
import { type SparseMatrix, strongestDirections } from './truncated-svd.ts';

export interface SampledPassage {
  text: string;
  heading: string;
}

/** Passages as numbers of words: passage p has those from starts[p] to starts[p + 1]. */
export interface SplitPassages {
  words: string[];
  starts: Uint32Array;
  indexes: Uint32Array;
  /** How many words the headings of all passages have. */
  headingWords: number;
}

/** By texts, because sums of rounded numbers depend on their order, and that of the index differs from build to build. */
const byTexts = (a: SampledPassage, b: SampledPassage) => {
  if (a.text !== b.text) return a.text < b.text ? -1 : 1;
  return a.heading === b.heading ? 0 : a.heading < b.heading ? -1 : 1;
};

export function splitPassages(passages: readonly SampledPassage[]): SplitPassages {
  const known = new Map<string, number>();
  const starts = new Uint32Array(passages.length + 1);
  const indexes: number[] = [];
  let headingWords = 0;
  passages.toSorted(byTexts).forEach(({ text, heading }, place) => {
    eachWord(text, (word) => {
      let index = known.get(word);
      if (index === undefined) {
        index = known.size;
        known.set(word, index);
      }
      indexes.push(index);
    });
    eachWord(heading, () => headingWords++);
    starts[place + 1] = indexes.length;
  });
  return { words: [...known.keys()], starts, indexes: Uint32Array.from(indexes), headingWords };
}

/** The limits of what is learned: so many dimensions, terms with vectors, and passages below which there are none. */
const [mostDimensions, mostVectorTerms, fewestPassages] = [256, 30_000, 20];

/** Fewer dimensions than passages: otherwise the vectors would say no more than the words. */
const dimensionsFor = (passages: number, terms: number) =>
  passages < fewestPassages ? 0 : Math.min(mostDimensions, Math.floor(passages / 4), terms);

interface CountedTerms {
  /** The term of each word by its number; -1: a stop word. */
  terms: Int32Array;
  stems: string[];
  frequencies: Uint32Array;
}

/** Joins words of one stem to terms, the most frequent first: those have vectors. */
function countTerms({ words, starts, indexes }: SplitPassages, stems: readonly (string | null)[]): CountedTerms {
  const numbers = new Map<string, number>();
  const raw = Int32Array.from(words, (_, index) => {
    const stem = stems[index] ?? null;
    if (stem === null) return -1;
    const known = numbers.get(stem);
    if (known === undefined) numbers.set(stem, numbers.size);
    return known ?? numbers.size - 1;
  });
  const counts = new Uint32Array(numbers.size);
  const last = new Int32Array(numbers.size).fill(-1);
  for (let passage = 0; passage + 1 < starts.length; passage++)
    for (let at = starts[passage] ?? 0; at < (starts[passage + 1] ?? 0); at++) {
      const term = raw[indexes[at] ?? 0] ?? -1;
      if (term < 0 || last[term] === passage) continue;
      last[term] = passage;
      counts[term] = (counts[term] ?? 0) + 1;
    }
  const names = [...numbers.keys()];
  const count = (term: number) => counts[term] ?? 0;
  const name = (term: number) => names[term] ?? '';
  const order = names.map((_, term) => term).sort((a, b) => count(b) - count(a) || (name(a) < name(b) ? -1 : 1));
  const places = new Int32Array(order.length);
  order.forEach((term, place) => {
    places[term] = place;
  });
  return {
    terms: raw.map((term) => (term < 0 ? -1 : (places[term] ?? -1))),
    stems: order.map(name),
    frequencies: Uint32Array.from(order, count),
  };
}

/** The weight of a term in a passage or question, for vectors. */
export const vectorWeight = (count: number, idf: number): number => Math.log1p(count) * idf;

/** Passages as rows of length 1, with the terms that get vectors as columns. */
function weighPassages({ starts, indexes }: SplitPassages, terms: Int32Array, idfs: Float64Array): SparseMatrix {
  const rows = starts.length - 1;
  const [rowStarts, columns, values]: [Uint32Array, number[], number[]] = [new Uint32Array(rows + 1), [], []];
  for (let row = 0; row < rows; row++) {
    const counts = new Map<number, number>();
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
      const term = terms[indexes[at] ?? 0] ?? -1;
      if (term >= 0 && term < idfs.length) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    const weights = [...counts].map(([term, count]) => vectorWeight(count, idfs[term] ?? 0));
    const length = Math.hypot(...weights) || 1;
    [...counts.keys()].forEach((term, place) => {
      columns.push(term);
      values.push((weights[place] ?? 0) / length);
    });
    rowStarts[row + 1] = columns.length;
  }
  return {
    ...{ rows, columns: idfs.length, starts: rowStarts },
    ...{ indexes: Uint32Array.from(columns), values: Float32Array.from(values) },
  };
}

function quantize(basis: Float32Array, terms: number, dimension: number) {
  const scales = new Float32Array(terms);
  const vectors = new Int8Array(terms * dimension);
  for (let term = 0; term < terms; term++) {
    const from = term * dimension;
    let most = 0;
    for (let i = 0; i < dimension; i++) most = Math.max(most, Math.abs(basis[from + i] ?? 0));
    scales[term] = most / 127;
    if (most > 0)
      for (let i = 0; i < dimension; i++) vectors[from + i] = Math.round(((basis[from + i] ?? 0) / most) * 127);
  }
  return { scales, vectors };
}

/** Learns what is common and what occurs together. `stems`: of each word; null for stop words. */
export function learnSearchModel(
  passages: SplitPassages,
  stems: readonly (string | null)[],
  rows: number,
): SearchModel {
  const sampled = passages.starts.length - 1;
  const { terms, stems: names, frequencies } = countTerms(passages, stems);
  const shared = frequencies.findIndex((frequency) => frequency < 2);
  const kept = shared === -1 ? frequencies.length : shared;
  const dimension = dimensionsFor(sampled, Math.min(mostVectorTerms, kept));
  const vectorTerms = dimension === 0 ? 0 : Math.min(mostVectorTerms, kept);
  const idfs = Float64Array.from({ length: vectorTerms }, (_, term) =>
    Math.log(1 + (sampled - (frequencies[term] ?? 0) + 0.5) / ((frequencies[term] ?? 0) + 0.5)),
  );
  const seeds = names.slice(0, vectorTerms).map((name) => Number.parseInt(hash('sha1', name).slice(0, 8), 16));
  const basis = dimension
    ? strongestDirections(weighPassages(passages, terms, idfs), dimension, seeds)
    : new Float32Array();
  const known = passages.words.flatMap((word, index): [string, number][] => {
    const term = terms[index] ?? -1;
    return term < kept ? [[word, term]] : [];
  });
  names.slice(0, kept).forEach((name, term) => {
    known.push([stemKey(name), term]);
  });
  let length = 0;
  for (const index of passages.indexes) if ((terms[index] ?? -1) >= 0) length++;
  return {
    ...{ rows, sampled, dimension },
    textLength: length / Math.max(1, sampled),
    headingLength: passages.headingWords / Math.max(1, sampled),
    termOf: new Map(known.sort(([a], [b]) => (a < b ? -1 : 1))),
    words: [],
    frequencies: frequencies.slice(0, kept),
    ...quantize(basis, vectorTerms, dimension),
  };
}
