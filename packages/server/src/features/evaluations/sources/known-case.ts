import type { CaseOrigin, EvaluationCase } from '@atrium/contract/evaluations/schema.ts';
import { newId } from '../../../lib/ids.ts';
import { omit } from '../../../lib/omit.ts';

/** A case with its texts and where they come from. */
export type KnownCase = EvaluationCase & {
  id: string;
  origin: CaseOrigin;
  /** The conversation that it is made of, until it is released. */
  conversation_id?: string;
  released_at?: string;
  /** The row that has the texts of a case of a conversation; none before it is stored. */
  sourced_id?: string;
  /** Its conversation is deleted, and so are its texts. Only in runs, where the place of a case counts. */
  gone?: true;
};

/** A case in the JSON of an evaluation or run. Cases from before sources were stored have no origin. */
export type CaseEntry =
  | (EvaluationCase & { origin?: 'written' | 'released'; released_at?: string })
  | { id: string; sourced_id: string };

export const isSourced = (entry: CaseEntry): entry is { id: string; sourced_id: string } => 'sourced_id' in entry;

/** The texts of a case, and what they are measured by. */
export const contentOf = (one: KnownCase): EvaluationCase =>
  omit(one, ['id', 'origin', 'conversation_id', 'released_at', 'sourced_id', 'gone']);

/** Gives cases of conversations the row that their texts go to. */
export const nameRows = (cases: readonly KnownCase[]): KnownCase[] =>
  cases.map((one) => (one.origin === 'conversation' && !one.sourced_id ? { ...one, sourced_id: newId() } : one));

export const entryOf = (one: KnownCase): CaseEntry => {
  if (one.sourced_id) return { id: one.id, sourced_id: one.sourced_id };
  const { origin, released_at } = one;
  return {
    ...contentOf(one),
    id: one.id,
    ...(origin !== 'unknown' && origin !== 'conversation' && { origin }),
    ...(released_at && { released_at }),
  };
};
