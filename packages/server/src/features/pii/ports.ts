import type { PiiEntity } from '@atrium/contract/settings/keys/safety.ts';

/** A value in a text. Offsets count UTF-16 code units: `text.slice(start, end)` is the value. */
export interface Span {
  entity: PiiEntity;
  start: number;
  end: number;
  /** The confidence: 0.9 and more when the value passed a check (a checksum, a real domain), less for a guess. */
  score: number;
}

/** Finds one entity, or several that are found together. Its spans may overlap. */
export interface Recogniser {
  entities: readonly PiiEntity[];
  find(text: string): Span[] | Promise<Span[]>;
}

/**
 * Finds the listed entities. The spans are sorted by start and do not overlap; entities that are not listed do not
 * compete.
 */
export type FindPii = (text: string, entities: readonly PiiEntity[]) => Promise<Span[]>;
