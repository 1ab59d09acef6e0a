/** A name of a person, a place, or a group that people belong to: a nationality, a religion, a political group. */
export interface TaggedSpan {
  entity: 'PERSON' | 'LOCATION' | 'NRP';
  /** UTF-16 units: `text.slice(start, end)` is the name. */
  start: number;
  end: number;
  /** From 0 to 1; below 0.9, because nothing but a reader's judgement stands behind it. */
  score: number;
}

/** Finds names in running text. Loads what it needs when it is first asked, not when it is made. */
export interface Tagger {
  tag(text: string): Promise<TaggedSpan[]>;
}
