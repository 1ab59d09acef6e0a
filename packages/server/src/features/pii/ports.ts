import type { PiiEntity } from '@atrium/contract/settings/safety.ts';

/** Where a value stands in a text. Offsets count UTF-16 units: `text.slice(start, end)` is the value. */
export interface Span {
  entity: PiiEntity;
  start: number;
  end: number;
  /** How sure it is: 0.9 and more for what has passed a check of its own (a checksum, a real domain), less for a guess. */
  score: number;
}

/** Finds one kind of thing, or a few that are found together. Its spans may overlap. */
export interface Recogniser {
  entities: readonly PiiEntity[];
  find(text: string): Span[] | Promise<Span[]>;
}

/** Sorted by start, not overlapping. Only the listed entities are looked for and compete. */
export type FindPii = (text: string, entities: readonly PiiEntity[]) => Promise<Span[]>;
