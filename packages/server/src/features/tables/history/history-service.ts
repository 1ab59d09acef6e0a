import { conflict, notFound } from '@atrium/contract/errors.ts';
import type {
  ChangeListQuery,
  Reversal,
  RowHistory,
  TableChange,
  TableChangeWithRows,
} from '@atrium/contract/tables/history-schema.ts';
import type { Database } from '../../../db/database.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import { withActor, withActors } from '../../actors/service.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { readRowId } from '../rows/check-rows.ts';
import { findRow } from '../rows/read-row-store.ts';
import type { TableAccess } from '../rows/table-access.ts';
import { type TableRow, tablesById } from '../store.ts';
import * as store from './history-store.ts';
import { newChange } from './record-change-store.ts';
import { namedCells, reverseRows } from './reverse-rows.ts';

type DryRun = { dry_run: boolean };

/** The history of rows: who changed them, and taking changes back. */
export interface TableHistory {
  ofRow(scope: Scope, table_id: string, row_id: string, query: { size: number }): Promise<RowHistory>;
  /** Removes what the history has of a row. */
  forgetRow(scope: Scope, table_id: string, row_id: string): Promise<void>;
  list(
    scope: Scope,
    table_id: string,
    query: ChangeListQuery,
  ): Promise<{ items: TableChange[]; next_cursor: string | null }>;
  get(scope: Scope, table_id: string, change_id: string): Promise<TableChangeWithRows>;
  undo(scope: Scope, table_id: string, change_id: string, query: DryRun): Promise<Reversal>;
  restore(scope: Scope, table_id: string, ids: readonly (string | number)[], query: DryRun): Promise<Reversal>;
}

/** More entries of one row are not read: the cells of its creation are then not known. */
const mostOfRow = 1000;
const shownRows = 100;
/** A change has at most 10,000 rows of its table and as many of others. */
const mostEntries = 20_000;

export function makeTableHistory({
  db,
  access: { withTable },
}: {
  db: Database;
  access: Pick<TableAccess, 'withTable'>;
}): TableHistory {
  /** Adds the cells of the row's creation: those of today with all later changes taken back. */
  function presentEntries(table: TableRow, entries: readonly store.RowHistoryRow[], now: object | null) {
    let cells: object | null = now;
    return entries.map((entry) => {
      const [before, after] = [entry.before, entry.after].map((placed) => placed && namedCells(table, placed));
      const item = { ...omit(entry, ['row_id', 'table_id']), before: before ?? null, after: after ?? null };
      if (entry.kind === 'created') item.after = cells && omit(cells as Record<string, unknown>, ['id']);
      cells = entry.kind === 'created' ? null : { ...cells, ...before };
      return item;
    });
  }

  async function find(table: TableRow, change_id: string) {
    const change = await store.findChange(db, table, change_id);
    if (!change) throw notFound('change');
    return change;
  }

  return {
    ofRow: (scope, table_id, row_id, { size }) =>
      withTable(scope, table_id, async (table) => {
        const own = readRowId(table, row_id);
        const entries = await store.listRowHistory(db, table, String(own), mostOfRow);
        const row = (await findRow(db, { ...table, relation: relationOf(table) }, own)) ?? null;
        if (!row && entries.length === 0) throw notFound('row');
        const items = presentEntries(table, entries, row).slice(0, size);
        return { items: await withActors(db, scope, items, 'changed_by'), exists: row !== null };
      }),

    forgetRow: (scope, table_id, row_id) =>
      withTable(scope, table_id, (table) =>
        db.transaction(scope, async (tx) => {
          const own = readRowId(table, row_id);
          scope.audit?.note({ target: { kind: 'table', id: table.id, name: table.name }, after: { row_id: own } });
          const known = await store.listRowHistory(tx, table, String(own), 1);
          const row = await findRow(tx, { ...table, relation: relationOf(table) }, own);
          if (!row && known.length === 0) throw notFound('row');
          await store.forgetRow(tx, table, String(own));
        }),
      ),

    list: (scope, table_id, { size, ...query }) =>
      withTable(scope, table_id, async (table) => {
        const rows = await store.listChanges(db, table, query, size + 1);
        const items = await withActors(db, scope, rows.slice(0, size), 'changed_by');
        return { items, next_cursor: rows.length > size ? (items.at(-1)?.id ?? null) : null };
      }),

    get: (scope, table_id, change_id) =>
      withTable(scope, table_id, async (table) => {
        const change = await find(table, change_id);
        const entries = await store.listEntries(db, scope.workspace_id, change_id, shownRows);
        const tables = await tablesById(
          db,
          scope.workspace_id,
          entries.map((entry) => entry.table_id),
        );
        const rows = entries.flatMap(({ table_id: of, row_id, kind, before, after }) => {
          const shape = tables.find(({ id }) => id === of);
          if (!shape) return [];
          const [was, is] = [before, after].map((cells) => cells && namedCells(shape, cells));
          return [{ table_id: of, row_id, kind, before: was ?? null, after: is ?? null }];
        });
        return { ...(await withActor(db, scope, change, 'changed_by')), rows };
      }),

    undo: (scope, table_id, change_id, { dry_run }) =>
      withTable(scope, table_id, (table) =>
        db.transaction(scope, async (tx) => {
          const { has_rows } = await find(table, change_id);
          if (!has_rows) throw conflict('The history does not have the rows of this change', 'rows_not_kept');
          const entries = await store.listEntries(tx, scope.workspace_id, change_id, mostEntries);
          const change = newChange(scope, table, 'undo', change_id);
          const counts = await reverseRows(tx, scope, change, entries, dry_run);
          return { dry_run, ...counts, missing: [], change_id: dry_run ? null : change.id };
        }),
      ),

    restore: (scope, table_id, ids, { dry_run }) =>
      withTable(scope, table_id, (table) =>
        db.transaction(scope, async (tx) => {
          const given = [
            ...new Set(ids.map((id, index) => String(readRowId(table, id, ['body', 'ids', String(index)])))),
          ];
          const entries = (await store.lastEntries(tx, table, given)).filter(({ kind }) => kind === 'deleted');
          const known = new Set(entries.map(({ row_id }) => row_id));
          const change = newChange(scope, table, 'restore');
          const counts = await reverseRows(tx, scope, change, entries, dry_run);
          const missing = given.filter((id) => !known.has(id));
          const isChanged = !dry_run && counts.created > 0;
          return { dry_run, ...counts, missing, change_id: isChanged ? change.id : null };
        }),
      ),
  };
}
