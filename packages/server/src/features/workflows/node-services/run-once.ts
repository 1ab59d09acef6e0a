import { type Database, isDuplicate } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Scope } from '../../../lib/scope.ts';

export type Once = <T, K = T>(
  scope: Scope,
  key: string,
  work: (scope: Scope) => Promise<T>,
  /** What of its answer is kept and given, now and at every later try. */
  keep?: (answer: T) => K,
) => Promise<K>;

/**
 * Work in our own database that is done once for each key, however often a step is tried. What it answers is kept by
 * the very transaction that does it: after a crash it is done and its answer known, or not done at all. The work must
 * be one transaction that is given the scope, and answer what that does.
 */
export function makeOnce({ db }: { db: Database }): Once {
  const kept = (scope: Scope, key: string) =>
    db.row<{ answer: string }>(sql`
      select answer::text from workflow_effects where workspace_id = ${scope.workspace_id} and key = ${key}`);

  return async <T, K>(scope: Scope, key: string, work: (scope: Scope) => Promise<T>, keep?: (answer: T) => K) => {
    const shown = keep ?? ((answer: T) => answer as unknown as K);
    const before = await kept(scope, key);
    if (before) return JSON.parse(before.answer) as K;
    const store = async (run: (text: string, values: unknown[]) => Promise<unknown>, answer: unknown) => {
      await run('insert into workflow_effects (workspace_id, key, answer) values ($1, $2, $3)', [
        scope.workspace_id,
        key,
        JSON.stringify(shown(answer as T) ?? null),
      ]);
    };
    try {
      return shown(await work({ ...scope, idempotency: { store } }));
    } catch (error) {
      // Another try of the same step was quicker; what this one did is rolled back.
      const first = isDuplicate(error) ? await kept(scope, key) : undefined;
      if (first) return JSON.parse(first.answer) as K;
      throw error;
    }
  };
}
