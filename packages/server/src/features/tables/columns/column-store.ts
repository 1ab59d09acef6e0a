import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { ColumnRow } from '../store.ts';

export type NewColumn = Omit<ColumnRow, 'dropped_at' | 'position' | 'references_id_type'>;

export const insertColumn = (db: Db, workspace_id: string, table_id: string, column: NewColumn) =>
  db.run(sql`
    insert into table_columns
      (workspace_id, table_id, id, position, name, type, label, default_value, references_table, on_delete, indexed)
    values (${workspace_id}, ${table_id}, ${column.id},
      (select coalesce(max(position), 0) + 1 from table_columns
       where workspace_id = ${workspace_id} and table_id = ${table_id}),
      ${column.name}, ${column.type}, ${column.label}, ${column.default_value}, ${column.references_table},
      ${column.on_delete}, ${column.indexed})`);

/** Everything of a column that can change. */
export const updateColumn = (db: Db, workspace_id: string, column: NewColumn) =>
  db.run(sql`
    update table_columns set name = ${column.name}, type = ${column.type}, label = ${column.label},
      default_value = ${column.default_value}, references_table = ${column.references_table},
      on_delete = ${column.on_delete}, indexed = ${column.indexed}
    where workspace_id = ${workspace_id} and id = ${column.id}`);

export const setColumnDropped = (db: Db, workspace_id: string, id: string, dropped: boolean) =>
  db.run(sql`
    update table_columns set dropped_at = case when ${dropped} then clock_timestamp() end
    where workspace_id = ${workspace_id} and id = ${id}`);

export const deleteColumn = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from table_columns where workspace_id = ${workspace_id} and id = ${id}`);

export interface ReferenceRow {
  table_id: string;
  table_name: string;
  column_id: string;
  column_name: string;
  references_table: string;
}

/** Which columns of the workspace's tables refer to which tables; of what is dropped, nothing. */
export const listReferences = (db: Db, workspace_id: string) =>
  db.rows<ReferenceRow>(sql`
    select c.table_id, t.name as table_name, c.id as column_id, c.name as column_name, c.references_table
    from table_columns c join tables t on t.workspace_id = c.workspace_id and t.id = c.table_id
    where c.workspace_id = ${workspace_id} and c.references_table is not null
      and c.dropped_at is null and t.dropped_at is null
    order by t.id, c.position`);
