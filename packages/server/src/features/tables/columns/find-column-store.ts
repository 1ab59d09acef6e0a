import type { Db } from '../../../db/database.ts';
import { containsText } from '../../../db/list-query.ts';
import { replanEachTime, sql } from '../../../db/sql.ts';

export interface FoundColumn {
  table_id: string;
  table_name: string;
  name: string;
  label: string | null;
}

/** Columns of tables that are not deleted, by name or label. */
export const findColumns = (db: Db, workspace_id: string, q: string, limit: number) =>
  db.rows<FoundColumn>(sql`
    select c.table_id, t.name as table_name, c.name, c.label
    from table_columns c join tables t on t.workspace_id = c.workspace_id and t.id = c.table_id
    where c.workspace_id = ${workspace_id} and c.dropped_at is null and t.dropped_at is null
      and (${containsText(sql`c.name`, q)} or ${containsText(sql`coalesce(c.label, '')`, q)})
    order by t.id desc, c.position limit ${limit}${replanEachTime}`);
