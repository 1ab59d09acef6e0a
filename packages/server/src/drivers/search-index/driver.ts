/** Which index: each base of a workspace has one that is searched, and beside it perhaps one that is being built. */
export interface IndexName {
  workspace_id: string;
  kb_id: string;
  name: string;
}

export interface IndexSpec {
  /** Two letters (en): whose stems and stop words count. Null: words as they stand. */
  language: string | null;
  /** Of its vectors; null: it has none. */
  dimension: number | null;
}

export interface IndexRow {
  id: string;
  document_id: string;
  /** The training it is of: a document's rows of another are outdated. */
  run_id: string;
  /** The folder of its document, `/a/b/`. */
  path: string;
  text: string;
  /** Its title and headings, which are part of the text too. */
  heading: string;
  vector: Float32Array | null;
}

export interface IndexFilter {
  /** Only what lies in this folder or below. */
  path?: string;
  document_ids?: readonly string[];
}

/** The higher the score the better: BM25 of words, cosine of vectors. */
export interface IndexHit {
  id: string;
  score: number;
}

/** Best first. Hits of equal score are ordered by id: the order in which an index stores rows tells of rows that are hidden. */
export const byScore = (a: IndexHit, b: IndexHit) => b.score - a.score || (a.id < b.id ? -1 : 1);

/** A passage with its texts, for callers that score it themselves. */
export interface IndexPassage {
  id: string;
  text: string;
  /** Empty in an index that was built before there were headings. */
  heading: string;
}

export type IndexCandidate = IndexPassage & IndexHit;

/** The state of a stored index. */
export interface IndexState {
  rows: number;
  dimension: number | null;
}

/**
 * Finds passages by their words and by vectors. It is derived from the database and may be lost at any time: an index
 * that can't be opened throws IndexMissing and is rebuilt. One writer at a time; readers see its writes at once.
 */
export interface RetrievalIndex {
  create(index: IndexName, spec: IndexSpec): Promise<void>;
  add(index: IndexName, rows: readonly IndexRow[]): Promise<void>;
  remove(index: IndexName, document_ids: readonly string[]): Promise<void>;
  /** Single rows by their ids. */
  removeRows(index: IndexName, ids: readonly string[]): Promise<void>;
  /** Rows of these documents that are of another training than the one that counts. */
  removeOutdated(index: IndexName, live: readonly { document_id: string; run_id: string }[]): Promise<void>;
  move(index: IndexName, document_ids: readonly string[], path: string): Promise<void>;
  /**
   * Indexes recently written rows, so that searches stay fast; by default only when there are many of them.
   * `replacing`: the rows indexed so far are being replaced. `fully`: indexes any number of rows and counts their words.
   */
  tend(index: IndexName, how?: 'replacing' | 'fully'): Promise<void>;
  /**
   * Rewrites the files of an index, so that none of them has a word of a removed row; searches go on meanwhile. False: it has
   * more than `most` rows, and is left as it is.
   */
  purge(index: IndexName, most?: number): Promise<boolean>;
  /** Rewrites an index, and those whose names begin with its name and a hyphen. */
  purgeAll(index: IndexName): Promise<void>;
  /** Passages that have any of the words, with their texts: the best by BM25, in which each word counts once. */
  findCandidates(
    index: IndexName,
    words: readonly string[],
    limit: number,
    filter?: IndexFilter,
  ): Promise<IndexCandidate[]>;
  /** Differs after each write to the index. */
  versionOf(index: IndexName): Promise<string>;
  /** All passages of an index; undefined when it has more than `most`. */
  readPassages(index: IndexName, most: number): Promise<IndexPassage[] | undefined>;
  /** An even sample of its passages: of `most` or fewer all of them. */
  samplePassages(index: IndexName, most: number): Promise<{ text: string; heading: string }[]>;
  /** Keeps what callers have learned from the index beside it, in place of what was there; null removes it. */
  writeModel(index: IndexName, bytes: Uint8Array | null): Promise<void>;
  /** Undefined when there is none, `unchanged` when its version is the known one. */
  readModel(index: IndexName, known?: string): Promise<{ bytes: Buffer; version: string } | 'unchanged' | undefined>;
  /**
   * A word that the query has several times counts as often.
   * `scored_as`: scores by how common words are in that other index, so that hits of both can be compared. It counts the
   * words of its rows when it is tended fully.
   */
  searchText(
    index: IndexName,
    query: string,
    limit: number,
    filter?: IndexFilter,
    scored_as?: IndexName,
  ): Promise<IndexHit[]>;
  searchVector(index: IndexName, vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]>;
  state(index: IndexName): Promise<IndexState>;
  /**
   * Copies an index and those whose names begin with its name and a hyphen, as they are now. What a writer adds to the
   * old ones later is not in the new ones.
   */
  copyAll(index: IndexName, name: string): Promise<void>;
  /** One that is already gone is fine. */
  drop(index: IndexName): Promise<void>;
  /** All of a base, or of a whole workspace; `but` is left, and those whose names begin with it and a hyphen. */
  dropAll(of: { workspace_id: string; kb_id?: string }, but?: string): Promise<void>;
  /** Removes what writers left behind that died, untouched since a moment; answers how many there were. */
  removePartial(before: Date): Promise<number>;
  close(): void;
}

export class IndexMissing extends Error {
  constructor(cause?: unknown) {
    super('The index is missing or damaged', { cause });
  }
}
