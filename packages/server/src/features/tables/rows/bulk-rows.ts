import { conflict, invalid } from '@atrium/contract/errors.ts';
import type { RowsBulk, RowsBulkAnswer } from '@atrium/contract/tables/history-schema.ts';
import { mostRows } from '@atrium/contract/tables/rows-schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { chargeMoreRows, type RowStorage } from '../charge-rows.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { newChange } from '../history/record-change-store.ts';
import { rowsChanged } from '../history/reverse-rows.ts';
import { publishRowChange } from '../publish-row-change.ts';
import type { TableRow } from '../store.ts';
import { readRowId, readRows } from './check-rows.ts';
import { deleteRowsAndReferences } from './delete-rows.ts';
import { matchingCondition } from './filter-store.ts';
import { countRows, lockMatchingRows, lockRows } from './read-row-store.ts';
import type { TableAccess } from './table-access.ts';
import { updateRows } from './write-row-store.ts';

/** Changes or deletes many rows in one transaction. */
export type ChangeRows = (
  scope: Scope,
  table_id: string,
  input: RowsBulk,
  query: { dry_run: boolean },
) => Promise<RowsBulkAnswer>;

type Ids = (string | number)[];

function refuseUnclear({ action, ids, etags, filter = [], search, values }: RowsBulk): void {
  const byFilter = filter.length > 0 || search !== undefined;
  if (ids && byFilter) throw invalid(['body', 'ids'], 'rows are named by ids or by a filter, not by both', null);
  if (!ids && !byFilter) throw invalid(['body', 'filter'], 'name the rows by ids, filter or search', filter);
  if (etags && etags.length !== ids?.length)
    throw invalid(['body', 'etags'], 'each of the ids has one version', etags.length);
  if (action === 'delete' && values) throw invalid(['body', 'values'], 'only an update sets cells', null);
  if (action === 'update' && Object.keys(values ?? {}).length === 0)
    throw invalid(['body', 'values'], 'an update sets at least one cell', values ?? null);
  if (values && Object.hasOwn(values, 'id'))
    throw invalid(['body', 'values', 'id'], 'the id of a row does not change', null);
}

/** The rows with these ids; refuses the work when one is newer than its version says, or gone. */
async function findByIds(tx: Db, table: TableRow, { ids = [], etags }: RowsBulk) {
  const given = ids.map((id, index) => readRowId(table, id, ['body', 'ids', String(index)]));
  const locked = await lockRows(tx, table, given);
  const versions = new Map(locked.map(({ id, etag }) => [id, etag]));
  if (etags) {
    const newer = given.filter((id, index) => versions.get(id) !== etags[index]);
    if (newer.length) throw rowsChanged(newer.map((id) => ({ table_id: table.id, row_id: String(id) })));
  }
  const missing = given.filter((id) => !versions.has(id));
  return { found: locked.map(({ id }): string | number => id), missing: [...new Set(missing)] };
}

async function findByFilter(tx: Db, table: TableRow, { filter = [], search }: RowsBulk, dry_run: boolean) {
  const source = { ...table, relation: relationOf(table) };
  const where = matchingCondition(source, { filters: filter, search }, ['body', 'filter']);
  if (dry_run) return { matched: await countRows(tx, source, where), found: [] };
  const locked = await lockMatchingRows(tx, table, where, mostRows + 1);
  if (locked.length > mostRows)
    throw conflict(`More than ${mostRows} rows match; narrow the filter and repeat the request`, 'too_many_rows');
  return { matched: locked.length, found: locked.map(({ id }): string | number => id) };
}

export function makeChangeRows({
  db,
  access: { withTable },
  storage,
}: {
  db: Database;
  storage: RowStorage;
  access: Pick<TableAccess, 'withTable'>;
}): ChangeRows {
  async function changeIn(tx: Db, scope: Scope, table: TableRow, input: RowsBulk, ids: Ids) {
    const change = newChange(scope, table, input.action);
    if (input.action === 'delete') {
      const gone = await deleteRowsAndReferences(tx, change, table, ids);
      await publishRowChange(tx, scope, table, 'deleted', gone);
      return { changed: gone.length, change_id: change.id };
    }
    const [cells] = await readRows(tx, table, [input.values ?? {}], () => ['body', 'values']);
    for (const _ of ids) chargeMoreRows(storage, scope.workspace_id, cells);
    const rows = await updateRows(tx, change, table, ids, required(cells));
    const row = rows.length === 1 ? (rows[0]?.row ?? null) : null;
    const updated = rows.map(({ row: { id } }) => id);
    await publishRowChange(tx, scope, table, 'updated', updated, { row });
    return { changed: rows.length, change_id: change.id };
  }

  return async (scope, table_id, input, { dry_run }) => {
    if (input.action === 'update') await storage.requireRoom(scope.workspace_id, 0);
    return withTable(scope, table_id, (table) =>
      db.transaction(scope, async (tx) => {
        refuseUnclear(input);
        // Cells that do not fit are refused in a dry run too.
        if (input.values) await readRows(tx, table, [input.values], () => ['body', 'values']);
        const { found, missing, matched } = input.ids
          ? { ...(await findByIds(tx, table, input)), matched: undefined }
          : { ...(await findByFilter(tx, table, input, dry_run)), missing: [] };
        const done =
          dry_run || found.length === 0
            ? { changed: 0, change_id: null }
            : await changeIn(tx, scope, table, input, found);
        return { dry_run, matched: matched ?? found.length, missing, ...done };
      }),
    );
  };
}
