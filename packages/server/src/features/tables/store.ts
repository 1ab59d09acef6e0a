import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { Choice, DeletePolicy } from '@atrium/contract/tables/schema.ts';
import type { ColumnType, IdType, ValueType } from '@atrium/contract/tables/types.ts';
import { countRows } from '../../db/count-rows.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions, newestFirst, orderOf, orderSql } from '../../db/list-query.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** The PostgreSQL type of each type of value. Integers are limited to what JSON can carry; times have milliseconds. */
export const databaseTypes: Record<ValueType, Sql> = {
  text: sql`text`,
  integer: sql`bigint`,
  number: sql`double precision`,
  boolean: sql`boolean`,
  date: sql`date`,
  datetime: sql`timestamptz(3)`,
  json: sql`jsonb`,
  uuid: sql`uuid`,
};

export interface ColumnRow {
  id: string;
  position: number;
  name: string;
  type: ColumnType;
  label: string | null;
  default_value: string | null;
  references_table: string | null;
  /** The type of the ids that a reference holds. */
  references_id_type: IdType | null;
  on_delete: DeletePolicy | null;
  indexed: boolean;
  /** The only values that its cells may have; null: any. */
  choices: Choice[] | null;
  dropped_at: string | null;
}

/** A table of the catalogue, with the schemas that hold it. */
export interface TableRow {
  id: string;
  group_id: string;
  name: string;
  sql_name: string;
  description: string | null;
  id_type: IdType;
  meta: Record<string, unknown>;
  version: number;
  /** It may hold text from untrusted sources. */
  untrusted: boolean;
  created_at: string;
  updated_at: string;
  etag: string;
  dropped_at: string | null;
  schema_name: string;
  read_schema_name: string;
  columns: ColumnRow[];
  dropped_columns: ColumnRow[];
}

/** Columns in their order; dropped ones newest first. */
const columnsOf = (dropped: boolean) => sql`(
  select coalesce(json_agg(json_build_object(
      'id', c.id, 'position', c.position, 'name', c.name, 'type', c.type, 'label', c.label,
      'default_value', c.default_value, 'references_table', c.references_table, 'references_id_type', r.id_type,
      'on_delete', c.on_delete, 'indexed', c.indexed, 'choices', c.choices,
      'dropped_at', to_char(c.dropped_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    order by c.dropped_at desc, c.position), '[]'::json)
  from table_columns c left join tables r on r.workspace_id = c.workspace_id and r.id = c.references_table
  where c.workspace_id = t.workspace_id and c.table_id = t.id
    and (c.dropped_at is not null) = ${dropped})`;

const selected = sql`
  select t.id, t.workspace_id as group_id, t.name, t.sql_name, t.description, t.id_type, t.meta, t.version, t.untrusted,
    t.created_at, t.updated_at, t.etag::text as etag, t.dropped_at, p.schema_name, p.read_schema_name,
    ${columnsOf(false)} as columns, ${columnsOf(true)} as dropped_columns
  from tables t join table_spaces p on p.workspace_id = t.workspace_id`;

const state = (dropped: boolean) => (dropped ? sql`t.dropped_at is not null` : sql`t.dropped_at is null`);

export const findTable = (db: Db, workspace_id: string, id: string, dropped = false) =>
  db.row<TableRow>(sql`${selected} where t.workspace_id = ${workspace_id} and t.id = ${id} and ${state(dropped)}`);

/** Locks the table until the transaction ends, so that changes of one table follow each other; then reads it. */
export async function lockTable(tx: Db, workspace_id: string, id: string, dropped = false) {
  // Writers refer to the table in its history after they have its lock: with `for update` both would wait for each other.
  await tx.run(sql`select from tables where workspace_id = ${workspace_id} and id = ${id} for no key update`);
  return findTable(tx, workspace_id, id, dropped);
}

const listColumns: ListColumns = {
  id: sql`t.id`,
  created_at: sql`t.created_at`,
  updated_at: sql`t.updated_at`,
  search: [sql`t.name`],
  sort: { name: sql`lower(t.name)`, updated_at: sql`t.updated_at` },
};

interface TableFilter extends ListFilter {
  dropped: boolean;
}

const matching = (workspace_id: string, { dropped, ...filter }: TableFilter): Sql =>
  sql`where t.workspace_id = ${workspace_id} and ${state(dropped)} ${listConditions(listColumns, filter)}`;

export const listTables = (
  db: Db,
  workspace_id: string,
  filter: TableFilter,
  { size, offset }: { size: number; offset: number },
) =>
  db.rows<TableRow>(sql`
    ${selected} ${matching(workspace_id, filter)}
    order by ${orderSql(listColumns, orderOf(listColumns, filter.sort, newestFirst))} limit ${size} offset ${offset}`);

export const countTables = (db: Db, workspace_id: string, filter: TableFilter) =>
  countRows(db, sql`from tables t ${matching(workspace_id, filter)}`);

export const tablesById = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.rows<TableRow>(sql`
    ${selected} where t.workspace_id = ${workspace_id} and t.id = any(${ids}::uuid[]) and t.dropped_at is null
    order by t.id`);

export const findTablesByName = (db: Db, workspace_id: string, names: readonly string[]) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from tables where workspace_id = ${workspace_id} and name = any(${names}) and dropped_at is null`);

/** The names of the workspace's tables, for the words that are no personal data. */
export const tableNames = async (db: Db, workspace_id: string): Promise<string[]> =>
  (
    await db.rows<{ name: string }>(sql`
      select name from tables where workspace_id = ${workspace_id} and dropped_at is null order by id desc limit 1000`)
  ).map(({ name }) => name);

/** The SQL names of the tables of the workspace. */
export const sqlNames = async (db: Db, workspace_id: string) =>
  new Set(
    (
      await db.rows<{ sql_name: string }>(sql`
        select sql_name from tables where workspace_id = ${workspace_id} and dropped_at is null`)
    ).map(({ sql_name }) => sql_name),
  );

export const insertTable = (
  db: Db,
  workspace_id: string,
  row: Pick<TableRow, 'id' | 'name' | 'sql_name' | 'description' | 'id_type' | 'meta'>,
) =>
  db.run(sql`
    insert into tables (workspace_id, id, name, sql_name, description, id_type, meta)
    values (${workspace_id}, ${row.id}, ${row.name}, ${row.sql_name}, ${row.description}, ${row.id_type},
            ${JSON.stringify(row.meta)})`);

export const updateTable = (
  db: Db,
  workspace_id: string,
  id: string,
  patch: { name?: string | undefined; description?: string | undefined; meta?: Record<string, unknown> | undefined },
) =>
  db.run(sql`
    update tables set name = coalesce(${patch.name ?? null}, name),
      description = coalesce(${patch.description ?? null}, description),
      meta = coalesce(${patch.meta ? JSON.stringify(patch.meta) : null}::json, meta), updated_at = now()
    where workspace_id = ${workspace_id} and id = ${id} and dropped_at is null`);

/** Counts up the version, because the columns have changed; work prepared for the old version is repeated. */
export const touchTable = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`
    update tables set version = version + 1, updated_at = now() where workspace_id = ${workspace_id} and id = ${id}`);

/** Notes that the table holds text from untrusted sources. */
export const markUntrusted = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`update tables set untrusted = true where workspace_id = ${workspace_id} and id = ${id}`);

export const setTableDropped = (db: Db, workspace_id: string, id: string, dropped: boolean, sql_name: string) =>
  db.run(sql`
    update tables set dropped_at = case when ${dropped} then now() end, version = version + 1, sql_name = ${sql_name}
    where workspace_id = ${workspace_id} and id = ${id}`);

export const deleteTable = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from tables where workspace_id = ${workspace_id} and id = ${id}`);

/** The tables made from a document or knowledge base, by their `meta`. */
export const findTablesMadeFrom = (db: Db, workspace_id: string, origin: { kb_id: string; document_id?: string }) =>
  db.rows<{ id: string }>(sql`
    select id from tables where workspace_id = ${workspace_id} and dropped_at is null
      and meta::jsonb @> ${JSON.stringify(origin)}::jsonb order by id`);

/** Tables that were deleted more than a week ago, of all workspaces. */
export const findExpiredTables = (db: Db) =>
  db.rows<{ workspace_id: string; table_id: string }>(sql`
    select workspace_id, id as table_id from tables where dropped_at < now() - interval '7 days'`);
