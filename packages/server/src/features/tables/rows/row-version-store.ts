import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { RecordVersion } from '../../../lib/scope.ts';
import { relationOf } from '../ddl/sql-names.ts';
import type { TableRow } from '../store.ts';

/** Keeps the row as it is until the transaction ends, and says who has changed it. */
export const lockRowVersion = (tx: Db, table: TableRow, id: string | number) =>
  tx.row<RecordVersion>(sql`
    select r.xmin::text as etag, c.changed_at as updated_at, c.changed_by as updated_by
    from ${relationOf(table)} r left join lateral (
      select c.changed_at, c.changed_by from table_row_history h
      join table_changes c on c.workspace_id = h.workspace_id and c.id = h.change_id
      where h.workspace_id = ${table.group_id} and h.table_id = ${table.id} and h.row_id = r.id::text
      order by h.change_id desc limit 1) c on true
    where r.id = ${id} for no key update of r`);
