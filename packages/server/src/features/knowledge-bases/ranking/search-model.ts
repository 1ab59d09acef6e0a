/**
 * What a search knows of the unrestricted passages of a knowledge base: how common each term is, and a vector for each
 * term by the passages that it occurs in. A term is the stem that its words share.
 */
export interface SearchModel {
  /** How many passages the index had. */
  rows: number;
  /** How many of them were read. */
  sampled: number;
  /** The average length of a passage and of its headings, in words without stop words. */
  textLength: number;
  headingLength: number;
  dimension: number;
  /**
   * The term of each word, -1 for stop words, and of each stem, written as `stemKey` does. Terms that only one passage has
   * are left out.
   */
  termOf: ReadonlyMap<string, number>;
  /** A word of each term. */
  words: readonly string[];
  /** In how many of the passages that were read each term occurs. */
  frequencies: Uint32Array;
  /** The vectors of terms, one after the other, as shares of 127 of `scales`; of the first terms only. */
  vectors: Int8Array;
  scales: Float32Array;
}

interface Header extends Omit<SearchModel, 'termOf' | 'words' | 'frequencies' | 'vectors' | 'scales'> {
  version: number;
  vocabulary: number;
  terms: number;
  vectorTerms: number;
  /** Bytes of the list of words. */
  text: number;
}

/** The key of a stem beside words, which never have this sign. */
export const stemKey = (stem: string): string => `=${stem}`;

const version = 1;
const align = (size: number) => Math.ceil(size / 8) * 8;

/** The model as bytes: a header of one line, the words, the term of each, and the arrays of the terms. */
export function encodeModel(model: SearchModel): Buffer {
  const vocabulary = [...model.termOf.keys()];
  const text = Buffer.from(vocabulary.join('\n'));
  const { rows, sampled, textLength, headingLength, dimension } = model;
  const header: Header = {
    ...{ version, rows, sampled, textLength, headingLength, dimension },
    ...{ vocabulary: vocabulary.length, terms: model.frequencies.length, vectorTerms: model.scales.length },
    text: text.length,
  };
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  const parts = [
    line,
    text,
    Buffer.from(Int32Array.from(model.termOf.values()).buffer),
    Buffer.from(model.frequencies.buffer, model.frequencies.byteOffset, model.frequencies.byteLength),
    Buffer.from(model.scales.buffer, model.scales.byteOffset, model.scales.byteLength),
    Buffer.from(model.vectors.buffer, model.vectors.byteOffset, model.vectors.byteLength),
  ];
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.alloc(align(part.length) - part.length)]));
}

/** Undefined: it was written by another version, or is torn. */
export function decodeModel(bytes: Buffer): SearchModel | undefined {
  const end = bytes.indexOf('\n');
  if (end === -1) return undefined;
  try {
    const header = JSON.parse(bytes.toString('utf8', 0, end)) as Header;
    if (header.version !== version) return undefined;
    let at = align(end + 1);
    const take = (size: number) => {
      const part = bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + size) as ArrayBuffer;
      if (part.byteLength !== size) throw new RangeError('The model is too short');
      at += align(size);
      return part;
    };
    const text = Buffer.from(take(header.text)).toString('utf8');
    const vocabulary = header.vocabulary === 0 ? [] : text.split('\n');
    const terms = new Int32Array(take(header.vocabulary * 4));
    const frequencies = new Uint32Array(take(header.terms * 4));
    const scales = new Float32Array(take(header.vectorTerms * 4));
    const vectors = new Int8Array(take(header.vectorTerms * header.dimension));
    const words: string[] = new Array(header.terms).fill('');
    vocabulary.forEach((word, index) => {
      const term = terms[index] ?? -1;
      if (term >= 0 && words[term] === '' && !word.startsWith('=')) words[term] = word;
    });
    const termOf = new Map(vocabulary.map((word, index) => [word, terms[index] ?? -1]));
    const { rows, sampled, textLength, headingLength, dimension } = header;
    return { rows, sampled, textLength, headingLength, dimension, termOf, words, frequencies, vectors, scales };
  } catch {
    return undefined;
  }
}

/** How much a term says: the idf of BM25. A term that was not seen counts as one of half a passage. */
export function idfOf({ sampled, frequencies }: SearchModel, term: number): number {
  const frequency = frequencies[term] ?? 0.5;
  return Math.log(1 + (sampled - frequency + 0.5) / (frequency + 0.5));
}
