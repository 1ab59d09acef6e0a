import { type Database, isDuplicate } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { findEffect, insertEffect } from './effect-store.ts';

export type RunOnce = <T, K = T>(
  scope: Scope,
  key: string,
  work: (scope: Scope) => Promise<T>,
  /** The part of the result that is stored and returned, now and at every later try. */
  keep?: (answer: T) => K,
) => Promise<K>;

/**
 * Runs work in our own database once for each key, however often a step is tried. The transaction that does the work
 * also stores its result, so after a crash either both are there or neither. The work must be one transaction that is
 * given the scope, and must return the result of that transaction.
 */
export function makeRunOnce({ db }: { db: Database }): RunOnce {
  return async <T, K>(scope: Scope, key: string, work: (scope: Scope) => Promise<T>, keep?: (answer: T) => K) => {
    const { workspace_id } = scope;
    const partToKeep = keep ?? ((answer: T) => answer as unknown as K);
    const before = await findEffect(db, workspace_id, key);
    if (before) return before.answer as K;
    const store = async (run: (text: string, values: unknown[]) => Promise<unknown>, answer: unknown) => {
      await insertEffect(run, workspace_id, key, JSON.stringify(partToKeep(answer as T) ?? null));
    };
    try {
      return partToKeep(await work({ ...scope, idempotency: { store } }));
    } catch (error) {
      // Another try of the same step finished first, and the work of this one was rolled back.
      const first = isDuplicate(error) ? await findEffect(db, workspace_id, key) : undefined;
      if (first) return first.answer as K;
      throw error;
    }
  };
}
