import type { Database, Db } from '../../../db/database.ts';
import { identifier, type Sql, sql } from '../../../db/sql.ts';
import type { Scope } from '../../../lib/scope.ts';
import { ensureRole, type Space } from '../ddl/workspace-schema.ts';
import { platformSchema } from '../platform-tables.ts';

export const queryTimeoutMs = 5000;

/**
 * What is said before a workspace's own question is asked: that nothing can be written, how long it may take and how
 * much room it has, how its text is to be read, and last of all who asks.
 */
export const readOnlyRoleStatements = (space: Space & { role_name: string }): Sql[] => [
  sql`set transaction read only`,
  sql`select set_config('statement_timeout', ${`${queryTimeoutMs}ms`}, true), set_config('lock_timeout', '2s', true),
    set_config('work_mem', '4MB', true),
    set_config('hash_mem_multiplier', '1', true), set_config('max_parallel_workers_per_gather', '0', true),
    set_config('standard_conforming_strings', 'on', true), set_config('datestyle', 'ISO, YMD', true),
    set_config('atrium.collected', '0', true), set_config('search_path', ${`${space.read_schema_name}, ${platformSchema}`}, true)`,
  // Not every database user may set this one.
  sql`select set_config('temp_file_limit', '256MB', true) where has_parameter_privilege('temp_file_limit', 'SET')`,
  sql`set local role ${identifier(space.role_name)}`,
];

export type ReadAsWorkspace = <T>(scope: Scope, work: (tx: Db) => Promise<T>) => Promise<T>;

/** Reads as the workspace's own role, which sees what is the workspace's and nothing else. */
export const makeReadAsWorkspace =
  (db: Database): ReadAsWorkspace =>
  async (scope, work) => {
    const space = await ensureRole(db, scope.workspace_id);
    return db.transaction(undefined, async (tx) => {
      for (const statement of readOnlyRoleStatements(space)) await tx.run(statement);
      return work(tx);
    });
  };
