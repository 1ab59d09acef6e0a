import type { Database, Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { ensureRole } from '../ddl/workspace-schema-store.ts';
import { readOnlyRoleStatements } from './read-only-role-store.ts';

export type ReadAsWorkspace = <T>(scope: Scope, work: (tx: Db) => Promise<T>) => Promise<T>;

/** Reads in a transaction under the database role of the workspace, which sees only the tables of the workspace. */
export const makeReadAsWorkspace =
  (db: Database): ReadAsWorkspace =>
  async (scope, work) => {
    const space = await ensureRole(db, scope.workspace_id);
    return db.transaction(undefined, async (tx) => {
      for (const statement of readOnlyRoleStatements(space)) await tx.run(statement);
      return work(tx);
    });
  };
