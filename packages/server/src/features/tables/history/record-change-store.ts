import type { Db } from '../../../db/database.ts';
import { identifier, join, literal, nothing, type Sql, sql } from '../../../db/sql.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ColumnRow, TableRow } from '../store.ts';
import { valueTypeOf } from '../value-reader.ts';

export type ChangeKind = 'insert' | 'update' | 'upsert' | 'delete' | 'import' | 'restore' | 'undo';
export type RowChangeKind = 'created' | 'updated' | 'deleted';

/** A write that the history names; its statements add their rows to it. */
export interface Change {
  id: string;
  workspace_id: string;
  /** The table that the caller wrote to; others change with it by their references. */
  table_id: string;
  kind: ChangeKind;
  undoes: string | null;
  run_id: string | null;
}

export const newChange = (
  scope: Pick<Scope, 'workspace_id' | 'within'>,
  table: Pick<TableRow, 'id'>,
  kind: ChangeKind,
  undoes: string | null = null,
): Change => ({
  ...{ id: newId(), workspace_id: scope.workspace_id, table_id: table.id, kind, undoes },
  run_id: scope.within?.run_id ?? null,
});

/** A function of PostgreSQL takes at most 100 arguments. */
const mostPairs = 40;

const cellAsJson = (cell: Sql, column: ColumnRow): Sql =>
  valueTypeOf(column) === 'datetime' ? sql`to_char(${cell} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : cell;

/** Cells of the row `own` as JSON, by the positions of their columns. */
export function cellsAsJson(columns: readonly ColumnRow[]): Sql {
  const pairs = columns.map(
    (column) => sql`${literal(String(column.position))}, ${cellAsJson(identifier('own', column.name), column)}`,
  );
  const objects: Sql[] = [];
  for (let first = 0; first < pairs.length; first += mostPairs)
    objects.push(sql`jsonb_build_object(${join(pairs.slice(first, first + mostPairs), sql`, `)})`);
  return objects.length ? join(objects, sql` || `) : sql`'{}'::jsonb`;
}

/** Names that no column of a caller's has. */
export const before = sql`${identifier('~before')}`;
export const after = sql`${identifier('~after')}`;

/**
 * The parts of a statement that note the rows of its part `changed`, which has `id`, `~before` and `~after`: the change
 * with their number, and each row. In the statement of the write itself, so that they cost no round trip.
 */
export function noteChanged(change: Change, table: Pick<TableRow, 'id'>, kind: RowChangeKind): Sql {
  const isOwn = table.id === change.table_id;
  const counter = identifier(isOwn ? kind : 'cascaded');
  // A row of another table can refer to deleted ones by several columns.
  const merge = sql`on conflict (workspace_id, table_id, row_id, change_id) do update set kind = excluded.kind,
    before = excluded.before || known.before, after = known.after || excluded.after`;
  return sql`
    noted_change as (
      insert into table_changes as known (workspace_id, table_id, id, kind, undoes, run_id, ${counter})
      select ${change.workspace_id}::uuid, ${change.table_id}::uuid, ${change.id}::uuid, ${change.kind},
        ${change.undoes}::uuid, ${change.run_id}, count(*) from changed having count(*) > 0
      on conflict (workspace_id, id) do update set ${counter} = known.${counter} + excluded.${counter}
    ), noted_rows as (
      insert into table_row_history as known (workspace_id, table_id, row_id, change_id, kind, before, after)
      select ${change.workspace_id}::uuid, ${table.id}::uuid, id::text, ${change.id}::uuid, ${kind}, ${before}, ${after}
      from changed ${isOwn ? nothing : merge}
    )`;
}

/** Notes rows that were created. */
export const noteCreatedRows = (
  tx: Db,
  change: Change,
  table: Pick<TableRow, 'id'>,
  ids: readonly (string | number)[],
) =>
  tx.run(sql`
    with changed as (
      select id, null::jsonb as ${before}, null::jsonb as ${after} from unnest(${ids.map(String)}::text[]) as id
    ), ${noteChanged(change, table, 'created')} select`);

/** Notes a write of too many rows to keep them one by one. */
export const noteChangeWithoutRows = (
  tx: Db,
  change: Change,
  { created = 0, updated = 0 }: { created?: number; updated?: number },
) =>
  tx.run(sql`
    insert into table_changes (workspace_id, table_id, id, kind, undoes, run_id, created, updated, has_rows)
    values (${change.workspace_id}, ${change.table_id}, ${change.id}, ${change.kind}, ${change.undoes},
      ${change.run_id}, ${created}, ${updated}, false)`);

/** The rows of a deletion are more than are kept: the change can not be undone. */
export const forgetRowsOfChange = (tx: Db, { workspace_id, id }: Pick<Change, 'workspace_id' | 'id'>) =>
  tx.run(sql`
    with gone as (delete from table_row_history where workspace_id = ${workspace_id} and change_id = ${id})
    update table_changes set has_rows = false where workspace_id = ${workspace_id} and id = ${id}`);

/** Removes the history of a table whose rows are all replaced, or which is removed. */
export const forgetTableHistory = (tx: Db, { group_id, id }: Pick<TableRow, 'group_id' | 'id'>) =>
  tx.run(sql`
    with gone as (delete from table_row_history where workspace_id = ${group_id} and table_id = ${id})
    delete from table_changes where workspace_id = ${group_id} and table_id = ${id}`);

/** Removes the cells of a column that is removed for good. */
export const forgetColumnHistory = (tx: Db, table: Pick<TableRow, 'group_id' | 'id'>, { position }: ColumnRow) =>
  tx.run(sql`
    update table_row_history set before = before - ${String(position)}::text, after = after - ${String(position)}::text
    where workspace_id = ${table.group_id} and table_id = ${table.id}
      and (before ? ${String(position)}::text or after ? ${String(position)}::text)`);
