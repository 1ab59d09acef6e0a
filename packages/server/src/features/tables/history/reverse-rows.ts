import { AppError, conflict } from '@atrium/contract/errors.ts';
import { isSameJson } from '@atrium/contract/same-json.ts';
import type { Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { listReferencesTo } from '../columns/column-store.ts';
import { publishRowChange } from '../publish-row-change.ts';
import { readRowId } from '../rows/check-rows.ts';
import { type Cells, makeRowReader } from '../rows/read-row-input.ts';
import { findReferringIds } from '../rows/read-row-store.ts';
import { deleteRows, insertRows, updateByKey } from '../rows/write-row-store.ts';
import { type TableRow, tablesById } from '../store.ts';
import { type EntryRow, findChangedSince, lockCells, type PlacedCells } from './history-store.ts';
import { type Change, noteCreatedRows } from './record-change-store.ts';

const mostNamed = 100;

/** Refuses work on rows that are not as the caller thinks. */
export const rowsChanged = (rows: readonly { table_id: string; row_id: string }[]) =>
  new AppError('conflict', rows.length === 1 ? '1 row was changed since' : `${rows.length} rows were changed since`, {
    code: 'rows_changed',
    details: { count: rows.length, rows: rows.slice(0, mostNamed) },
  });

/** What has to be done in one table. */
interface Plan {
  table: TableRow;
  remove: (string | number)[];
  update: Cells[];
  insert: Cells[];
  changed: { table_id: string; row_id: string }[];
}

/** Cells by the names that their columns have now; those of dropped columns are left out. */
export const namedCells = (table: Pick<TableRow, 'columns'>, cells: PlacedCells): Cells =>
  Object.fromEntries(
    table.columns.flatMap(({ name, position }) =>
      Object.hasOwn(cells, position) ? [[name, cells[position]] as const] : [],
    ),
  );

/** Whether a row has these cells, apart from dropped columns. */
const hasCells = (row: PlacedCells, { columns }: TableRow, cells: PlacedCells) =>
  columns.every(
    ({ position }) => !Object.hasOwn(cells, position) || isSameJson(row[position] ?? null, cells[position] ?? null),
  );

/** Finds what takes the entries back, and the rows that keep it from being done. */
async function planTable(tx: Db, table: TableRow, entries: readonly EntryRow[]): Promise<Plan> {
  const now = await lockCells(
    tx,
    table,
    entries.map(({ row_id }) => readRowId(table, row_id)),
  );
  const created = entries.filter(({ kind }) => kind === 'created');
  const later = created[0]
    ? await findChangedSince(
        tx,
        table,
        created.map(({ row_id }) => row_id),
        created[0].change_id,
      )
    : new Set<string>();
  const reader = makeRowReader(table);
  const plan: Plan = { table, remove: [], update: [], insert: [], changed: [] };
  for (const { row_id, kind, before, after } of entries) {
    const cells = now.get(row_id);
    const id = readRowId(table, row_id);
    const isAsLeft = kind === 'deleted' ? !cells : cells && !later.has(row_id) && hasCells(cells, table, after ?? {});
    if (!isAsLeft) plan.changed.push({ table_id: table.id, row_id });
    else if (kind === 'created') plan.remove.push(id);
    else {
      const former = reader.read({ ...namedCells(table, before ?? {}), id }, [row_id]);
      plan[kind === 'deleted' ? 'insert' : 'update'].push(former);
    }
  }
  const [unfit] = reader.validationErrors;
  if (unfit)
    throw conflict(`${unfit.loc.at(-1)} of row ${unfit.loc[0]} does not fit any more: ${unfit.msg}`, 'rows_do_not_fit');
  return plan;
}

/** Tables that others refer to come first. */
function orderTables(tables: readonly TableRow[]): TableRow[] {
  const ordered: TableRow[] = [];
  const place = (table: TableRow) => {
    if (ordered.includes(table)) return;
    for (const { references_table } of table.columns) {
      const target = tables.find(({ id }) => id === references_table);
      if (target) place(target);
    }
    ordered.push(table);
  };
  for (const table of tables) place(table);
  return ordered;
}

/** Rows that came to refer to a created row since would go with it. */
async function refuseReferred(tx: Db, { table, remove }: Plan): Promise<void> {
  for (const reference of await listReferencesTo(tx, table.group_id, table.id)) {
    const [referring] = await tablesById(tx, table.group_id, [reference.table_id]);
    const ids = referring ? await findReferringIds(tx, referring, reference.column_name, remove, 1) : [];
    if (referring && ids.length)
      throw conflict(`Rows of ${referring.name} refer to it by ${reference.column_name}`, 'row_is_referenced');
  }
}

/** Takes entries of the history back, and notes that as a change; how many rows each way. */
export async function reverseRows(
  tx: Db,
  scope: Scope,
  change: Change,
  entries: readonly EntryRow[],
  dry_run: boolean,
): Promise<{ created: number; updated: number; deleted: number }> {
  const byTable = Map.groupBy(entries, ({ table_id }) => table_id);
  const tables = await tablesById(tx, scope.workspace_id, [...byTable.keys()]);
  if (tables.length < byTable.size)
    throw conflict('A table that had rows of this change was deleted: restore it first', 'rows_not_kept');
  const plans: Plan[] = [];
  for (const table of orderTables(tables)) plans.push(await planTable(tx, table, byTable.get(table.id) ?? []));
  const changed = plans.flatMap((plan) => plan.changed);
  if (changed.length) throw rowsChanged(changed);
  const counts = { created: 0, updated: 0, deleted: 0 };
  for (const { remove, update, insert } of plans) {
    counts.created += insert.length;
    counts.updated += update.length;
    counts.deleted += remove.length;
  }
  if (dry_run) return counts;

  for (const plan of plans.toReversed()) {
    if (plan.remove.length === 0) continue;
    await refuseReferred(tx, plan);
    await deleteRows(tx, change, plan.table, plan.remove);
    await publishRowChange(tx, scope, plan.table, 'deleted', plan.remove);
  }
  for (const { table, insert, update } of plans) {
    const ids = await insertRows(tx, table, insert);
    if (ids.length) await noteCreatedRows(tx, change, table, ids);
    await publishRowChange(tx, scope, table, 'created', ids);
    const updated = await updateByKey(tx, change, table, 'id', update);
    await publishRowChange(
      tx,
      scope,
      table,
      'updated',
      updated.map(({ id }) => id),
    );
  }
  return counts;
}
