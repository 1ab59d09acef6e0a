import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import { listUsedRights } from './used-rights-store.ts';

/** Of these runs, those that have read documents which the caller may not read: their content is hidden from the caller. */
export type FindHiddenRuns = (scope: Scope, run_ids: readonly string[]) => Promise<ReadonlySet<string>>;

export const makeFindHiddenRuns =
  (deps: {
    db: Db;
    /** The sets of rights of documents that the caller has. */
    visible(scope: Scope): Promise<'all' | readonly number[]>;
  }): FindHiddenRuns =>
  async (scope, run_ids) => {
    const used = run_ids.length ? await listUsedRights(deps.db, scope.workspace_id, run_ids) : [];
    if (used.length === 0) return new Set();
    const visible = await deps.visible(scope);
    if (visible === 'all') return new Set();
    return new Set(used.flatMap(({ run_id, rights_id }) => (visible.includes(rights_id) ? [] : [run_id])));
  };
