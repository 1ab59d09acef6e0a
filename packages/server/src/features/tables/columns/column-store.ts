import type { DeletePolicy } from '@atrium/contract/tables/schema.ts';
import type { Db } from '../../../db/database.ts';
import { identifier, type Sql, sql } from '../../../db/sql.ts';
import { constraintColumn, relationOf } from '../ddl/sql-names.ts';
import type { ColumnRow, TableRow } from '../store.ts';

export type NewColumn = Omit<ColumnRow, 'dropped_at' | 'position' | 'references_id_type'>;

const choicesAsJson = ({ choices }: NewColumn) => (choices ? JSON.stringify(choices) : null);

export const insertColumn = (db: Db, workspace_id: string, table_id: string, column: NewColumn) =>
  db.run(sql`
    insert into table_columns
      (workspace_id, table_id, id, position, name, type, label, default_value, references_table, on_delete, indexed,
       choices)
    values (${workspace_id}, ${table_id}, ${column.id},
      (select coalesce(max(position), 0) + 1 from table_columns
       where workspace_id = ${workspace_id} and table_id = ${table_id}),
      ${column.name}, ${column.type}, ${column.label}, ${column.default_value}, ${column.references_table},
      ${column.on_delete}, ${column.indexed}, ${choicesAsJson(column)}::json)`);

/** Stores all fields of a column that can change. */
export const updateColumn = (db: Db, workspace_id: string, column: NewColumn) =>
  db.run(sql`
    update table_columns set name = ${column.name}, type = ${column.type}, label = ${column.label},
      default_value = ${column.default_value}, references_table = ${column.references_table},
      on_delete = ${column.on_delete}, indexed = ${column.indexed}, choices = ${choicesAsJson(column)}::json
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

/** The references between the tables of the workspace, without dropped ones. */
export const listReferences = (db: Db, workspace_id: string) =>
  db.rows<ReferenceRow>(sql`
    select c.table_id, t.name as table_name, c.id as column_id, c.name as column_name, c.references_table
    from table_columns c join tables t on t.workspace_id = c.workspace_id and t.id = c.table_id
    where c.workspace_id = ${workspace_id} and c.references_table is not null
      and c.dropped_at is null and t.dropped_at is null
    order by t.id, c.position`);

/** The columns that refer to a table, without dropped ones. */
export const listReferencesTo = (db: Db, workspace_id: string, table_id: string) =>
  db.rows<{ table_id: string; column_name: string; on_delete: DeletePolicy }>(sql`
    select c.table_id, c.name as column_name, coalesce(c.on_delete, 'restrict') as on_delete
    from table_columns c join tables t on t.workspace_id = c.workspace_id and t.id = c.table_id
    where c.workspace_id = ${workspace_id} and c.references_table = ${table_id}
      and c.dropped_at is null and t.dropped_at is null
    order by c.table_id, c.position`);

export interface ExpiredColumn {
  workspace_id: string;
  table_id: string;
  id: string;
}

/** Columns that were dropped more than a week ago. Those of a deleted table are removed with it. */
export const findExpiredColumns = (db: Db) =>
  db.rows<ExpiredColumn>(sql`
    select c.workspace_id, c.table_id, c.id from table_columns c
    join tables t on t.workspace_id = c.workspace_id and t.id = c.table_id
    where c.dropped_at < now() - interval '7 days' and t.dropped_at is null`);

/** Turns dropped references to a table into plain ids, because the table is removed for good. */
export const detachReferences = (tx: Db, { group_id, id, id_type }: Pick<TableRow, 'group_id' | 'id' | 'id_type'>) =>
  tx.run(sql`
    update table_columns set references_table = null, on_delete = null, type = ${id_type === 'uuid' ? 'uuid' : 'integer'}
    where workspace_id = ${group_id} and references_table = ${id}`);

/** The column of a foreign key, with its table. */
export const findColumnOfConstraint = (db: Db, workspace_id: string, constraint: string) =>
  db.row<{ table_id: string; table_name: string; column_name: string }>(sql`
    select t.id as table_id, t.name as table_name, c.name as column_name
    from table_columns c join tables t on t.workspace_id = c.workspace_id and t.id = c.table_id
    where c.workspace_id = ${workspace_id} and c.id::text = ${constraintColumn(constraint)}`);

const isDangling = (table: TableRow, column: ColumnRow, target: TableRow): Sql =>
  sql`${identifier(column.name)} is not null and not exists (
    select from ${relationOf(target)} as target where target.id = ${relationOf(table)}.${identifier(column.name)})`;

/** How many rows refer to a row that does not exist. */
export const countDanglingRows = async (tx: Db, table: TableRow, column: ColumnRow, target: TableRow) =>
  (
    await tx.row<{ count: number }>(sql`
      select count(*) as count from ${relationOf(table)} where ${isDangling(table, column, target)}`)
  )?.count ?? 0;

/** Empties the cells that refer to a row that does not exist. */
export const clearDanglingRows = (tx: Db, table: TableRow, column: ColumnRow, target: TableRow) =>
  tx.run(sql`
    update ${relationOf(table)} set ${identifier(column.name)} = null where ${isDangling(table, column, target)}`);
