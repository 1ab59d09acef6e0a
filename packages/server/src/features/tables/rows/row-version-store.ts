import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { RecordVersion } from '../../../lib/scope.ts';
import { relationOf } from '../ddl/sql-names.ts';
import type { TableRow } from '../store.ts';

/** Keeps the row as it is until the transaction ends, and says who has changed it. */
export const lockRowVersion = (tx: Db, table: TableRow, id: string | number) =>
  tx.row<RecordVersion>(sql`
    select r.xmin::text as etag, c.changed_at as updated_at, c.changed_by as updated_by
    from ${relationOf(table)} r left join table_row_changes c
      on c.workspace_id = ${table.group_id} and c.table_id = ${table.id} and c.row_id = r.id::text
      and c.xmin_after = r.xmin
    where r.id = ${id} for no key update of r`);

/** Notes that this transaction changes these rows. */
export const noteRowChanges = (tx: Db, workspace_id: string, table_id: string, ids: readonly (string | number)[]) =>
  tx.run(sql`
    insert into table_row_changes (workspace_id, table_id, row_id, xmin_after, changed_by)
    select ${workspace_id}::uuid, ${table_id}::uuid, id, pg_current_xact_id()::xid, current_actor()
    from unnest(${ids.map(String)}::text[]) as id
    on conflict (workspace_id, table_id, row_id) do update
      set xmin_after = excluded.xmin_after, changed_at = now(), changed_by = excluded.changed_by`);

export const forgetRowChanges = (tx: Db, workspace_id: string, table_id: string, ids: readonly (string | number)[]) =>
  tx.run(sql`
    delete from table_row_changes
    where workspace_id = ${workspace_id} and table_id = ${table_id} and row_id = any(${ids.map(String)}::text[])`);
