import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** Says that a run, and with it the runs that wait for it, has read documents with these sets of rights. */
export const noteUsedRights = (db: Db, workspace_id: string, run_id: string, rights_ids: readonly number[]) =>
  db.run(sql`
    with recursive above (run_id) as (
      select ${run_id}::uuid
      union select r.parent_run_id from above join run_labels r
        on r.workspace_id = ${workspace_id} and r.run_id = above.run_id and r.parent_run_id is not null)
    insert into run_rights (workspace_id, run_id, rights_id)
    select ${workspace_id}, above.run_id, used.id from above, unnest(${[...rights_ids]}::int[]) as used (id)
    on conflict do nothing`);

export const listUsedRights = (db: Db, workspace_id: string, run_ids: readonly string[]) =>
  db.rows<{ run_id: string; rights_id: number }>(sql`
    select run_id, rights_id from run_rights
    where workspace_id = ${workspace_id} and run_id = any(${[...run_ids]}::uuid[])`);

/** The condition that the run in this column has read nothing but what these sets of rights allow. */
export const usedOnly = (workspace_id: string, run_id: Sql, rights: readonly number[]): Sql => sql`not exists (
  select from run_rights used where used.workspace_id = ${workspace_id} and used.run_id = ${run_id}
    and used.rights_id <> all(${[...rights]}::int[]))`;
