/** The name of a person, a place, or a group of persons: a nationality, a religion, a political group. */
export interface TaggedSpan {
  entity: 'PERSON' | 'LOCATION' | 'NRP';
  /** In UTF-16 code units: `text.slice(start, end)` is the name. */
  start: number;
  end: number;
  /** From 0 to 1; below 0.9, since no check can confirm a name. */
  score: number;
}

/** Finds names in running text. Loads its data at the first call. */
export interface Tagger {
  tag(text: string): Promise<TaggedSpan[]>;
}
