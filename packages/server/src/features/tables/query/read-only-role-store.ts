import { identifier, type Sql, sql } from '../../../db/sql.ts';
import type { Space } from '../ddl/workspace-schema-store.ts';
import { platformSchema } from '../platform-tables.ts';

export const queryTimeoutMs = 5000;

/** Run before a query of a workspace: read only, limits of time and memory, how text is read, and last the role. */
export const readOnlyRoleStatements = (space: Space & { role_name: string }): Sql[] => [
  sql`set transaction read only`,
  sql`select set_config('statement_timeout', ${`${queryTimeoutMs}ms`}, true), set_config('lock_timeout', '2s', true),
    set_config('work_mem', '4MB', true),
    set_config('hash_mem_multiplier', '1', true), set_config('max_parallel_workers_per_gather', '0', true),
    set_config('standard_conforming_strings', 'on', true), set_config('datestyle', 'ISO, YMD', true),
    set_config('atrium.collected', '0', true), set_config('search_path', ${`${space.read_schema_name}, ${platformSchema}`}, true)`,
  // Not every database user may set this limit.
  sql`select set_config('temp_file_limit', '256MB', true) where has_parameter_privilege('temp_file_limit', 'SET')`,
  sql`set local role ${identifier(space.role_name)}`,
];
