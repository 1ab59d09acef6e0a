import type { ChangeListQuery } from '@atrium/contract/tables/history-schema.ts';
import { idValueType } from '@atrium/contract/tables/types.ts';
import type { Db } from '../../../db/database.ts';
import { nothing, sql } from '../../../db/sql.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { databaseTypes, type TableRow } from '../store.ts';
import { type ChangeKind, cellsAsJson, type RowChangeKind } from './record-change-store.ts';

/** Cells by the positions of their columns. */
export type PlacedCells = Record<string, unknown>;

export interface ChangeRow {
  id: string;
  table_id: string;
  kind: ChangeKind;
  created: number;
  updated: number;
  deleted: number;
  cascaded: number;
  changed_at: string;
  changed_by: string | null;
  run_id: string | null;
  undoes: string | null;
  undone_in: string | null;
  has_rows: boolean;
}

const columns = sql`c.id, c.table_id, c.kind, c.created, c.updated, c.deleted, c.cascaded, c.changed_at, c.changed_by,
  c.run_id, c.undoes, c.has_rows, (
    select u.id from table_changes u where u.workspace_id = c.workspace_id and u.undoes = c.id order by u.id desc limit 1
  ) as undone_in`;

export const findChange = (db: Db, { group_id, id }: TableRow, change_id: string) =>
  db.row<ChangeRow>(sql`
    select ${columns} from table_changes c
    where c.workspace_id = ${group_id} and c.table_id = ${id} and c.id = ${change_id}`);

export const listChanges = (
  db: Db,
  { group_id, id }: TableRow,
  { kind, changed_by, cursor }: Omit<ChangeListQuery, 'size'>,
  limit: number,
) =>
  db.rows<ChangeRow>(sql`
    select ${columns} from table_changes c where c.workspace_id = ${group_id} and c.table_id = ${id}
      ${kind ? sql`and c.kind = ${kind}` : nothing} ${changed_by ? sql`and c.changed_by = ${changed_by}` : nothing}
      ${cursor ? sql`and c.id < ${cursor}` : nothing}
    order by c.id desc limit ${limit}`);

/** A row of a change. */
export interface EntryRow {
  change_id: string;
  table_id: string;
  row_id: string;
  kind: RowChangeKind;
  before: PlacedCells | null;
  after: PlacedCells | null;
}

export const listEntries = (db: Db, workspace_id: string, change_id: string, limit: number) =>
  db.rows<EntryRow>(sql`
    select change_id, table_id, row_id, kind, before, after from table_row_history
    where workspace_id = ${workspace_id} and change_id = ${change_id} order by table_id, row_id limit ${limit}`);

export interface RowHistoryRow extends EntryRow {
  changed_at: string;
  changed_by: string | null;
  run_id: string | null;
}

export const listRowHistory = (db: Db, { group_id, id }: TableRow, row_id: string, limit: number) =>
  db.rows<RowHistoryRow>(sql`
    select h.change_id, h.table_id, h.row_id, h.kind, h.before, h.after, c.changed_at, c.changed_by, c.run_id
    from table_row_history h join table_changes c on c.workspace_id = h.workspace_id and c.id = h.change_id
    where h.workspace_id = ${group_id} and h.table_id = ${id} and h.row_id = ${row_id}
    order by h.seq desc limit ${limit}`);

/** The last change of each of these rows. */
export const lastEntries = (db: Db, { group_id, id }: Pick<TableRow, 'group_id' | 'id'>, row_ids: readonly string[]) =>
  db.rows<RowHistoryRow>(sql`
    select last.change_id, last.table_id, last.row_id, last.kind, last.before, last.after, c.changed_at, c.changed_by,
      c.run_id
    from unnest(${[...row_ids]}::text[]) as given (row_id) join lateral (
      select h.* from table_row_history h
      where h.workspace_id = ${group_id} and h.table_id = ${id} and h.row_id = given.row_id
      order by h.seq desc limit 1) last on true
    join table_changes c on c.workspace_id = last.workspace_id and c.id = last.change_id`);

/** Those of the rows that another change has written after this one. */
export const findChangedSince = async (
  db: Db,
  { group_id, id }: TableRow,
  row_ids: readonly string[],
  change_id: string,
) =>
  new Set(
    (
      await db.rows<{ row_id: string }>(sql`
        select distinct own.row_id from table_row_history own
        join table_row_history later on later.workspace_id = own.workspace_id and later.table_id = own.table_id
          and later.row_id = own.row_id and later.seq > own.seq
        where own.workspace_id = ${group_id} and own.table_id = ${id} and own.row_id = any(${[...row_ids]}::text[])
          and own.change_id = ${change_id}`)
    ).map(({ row_id }) => row_id),
  );

/** Rows as they are, kept so until the transaction ends, by their ids. */
export const lockCells = async (tx: Db, table: TableRow, ids: readonly (string | number)[]) =>
  new Map(
    (
      await tx.rows<{ row_id: string; cells: PlacedCells }>(sql`
        select own.id::text as row_id, ${cellsAsJson(table.columns)} as cells
        from ${relationOf(table)} as own
        where own.id = any(${[...ids]}::${databaseTypes[idValueType(table.id_type)]}[]) order by own.id for update`)
    ).map(({ row_id, cells }) => [row_id, cells]),
  );

/** Removes the history of a row; the changes that it was a part of are not whole any more. */
export const forgetRow = (tx: Db, { group_id, id }: TableRow, row_id: string) =>
  tx.run(sql`
    with gone as (
      delete from table_row_history where workspace_id = ${group_id} and table_id = ${id} and row_id = ${row_id}
      returning change_id)
    update table_changes c set has_rows = false from gone where c.workspace_id = ${group_id} and c.id = gone.change_id`);

/** Removes changes older than 90 days, and beyond the last million rows of a table; how many. Some at a time. */
export const expireHistory = (db: Db) =>
  db.run(sql`
    with busy as (
      select distinct workspace_id, table_id from table_changes where changed_at > now() - interval '1 day'
    ), beyond as (
      select c.workspace_id, c.id from busy cross join lateral (
        select k.workspace_id, k.id,
          sum(k.created + k.updated + k.deleted + k.cascaded) over (order by k.id desc) as rows_after
        from table_changes k where k.workspace_id = busy.workspace_id and k.table_id = busy.table_id and k.has_rows) c
      where c.rows_after > 1000000 limit 500
    ), old as (
      select workspace_id, id from table_changes where changed_at < now() - interval '90 days' limit 500)
    delete from table_changes c using (select * from old union select * from beyond) gone
    where c.workspace_id = gone.workspace_id and c.id = gone.id`);

/** The changes that a person made, for the archive of their data. */
export const listChangesOf = (
  db: Db,
  workspace_ids: readonly string[],
  actor_ids: readonly string[],
  after: string,
  limit: number,
) =>
  db.rows<Omit<ChangeRow, 'undone_in'> & { group_id: string }>(sql`
    select c.id, c.workspace_id as group_id, c.table_id, c.kind, c.created, c.updated, c.deleted, c.cascaded,
      c.changed_at, c.changed_by, c.run_id, c.undoes, c.has_rows
    from table_changes c
    where c.workspace_id = any(${[...workspace_ids]}::uuid[]) and c.changed_by = any(${[...actor_ids]}::uuid[])
      and c.id > ${after}
    order by c.id limit ${limit}`);

/** Takes a person out of the history; how many changes they had made. */
export const forgetActor = (db: Db, workspace_ids: readonly string[], actor_ids: readonly string[]) =>
  db.run(sql`
    update table_changes set changed_by = null
    where workspace_id = any(${[...workspace_ids]}::uuid[]) and changed_by = any(${[...actor_ids]}::uuid[])`);
