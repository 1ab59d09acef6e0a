import { InvalidRequest, invalid, notFound, type ValidationError } from '@atrium/contract/errors.ts';
import type { RowListQuery } from '@atrium/contract/tables/rows-schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { withActors } from '../../actors/service.ts';
import { chargeRows, type RowStorage } from '../charge-rows.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { lastEntries } from '../history/history-store.ts';
import { newChange, noteCreatedRows } from '../history/record-change-store.ts';
import type { Rows } from '../ports.ts';
import { publishRowChange } from '../publish-row-change.ts';
import type { TableRow } from '../store.ts';
import { readRowId, readRows } from './check-rows.ts';
import { deleteRowsAndReferences } from './delete-rows.ts';
import { matchingCondition } from './filter-store.ts';
import { type Filter, readFilters } from './filters.ts';
import type { Cells } from './read-row-input.ts';
import { countRows, findRow, findVersionedRow, type RowPage, readPage } from './read-row-store.ts';
import { readCursor, readOrder } from './row-order.ts';
import { type Row, type RowSource, typesOf, type VersionedRow } from './row-source.ts';
import { lockRowVersion } from './row-version-store.ts';
import type { TableAccess } from './table-access.ts';
import { totalRows } from './total-row-store.ts';
import * as write from './write-row-store.ts';

/** The row service as the rest of this feature uses it. */
export type RowService = Rows & Pick<TableAccess, 'reading'>;

const mostTotals = 20;

interface Needs {
  db: Database;
  access: TableAccess;
  storage: RowStorage;
}

export function makeRows({ db, access: { withTable, reading }, storage }: Needs): RowService {
  /** Who wrote each row last; rows of the platform have no writers. */
  async function findWriters(scope: Scope, id: string, rows: readonly Row[]) {
    const ids = rows.map((row) => String(row.id));
    const last = await lastEntries(db, { group_id: scope.workspace_id, id }, ids);
    const byRow = new Map(last.map((entry) => [entry.row_id, entry]));
    const writers = ids.map((row_id) => ({
      updated_at: byRow.get(row_id)?.changed_at ?? null,
      updated_by: byRow.get(row_id)?.changed_by ?? null,
    }));
    return withActors(db, scope, writers, 'updated_by');
  }

  /** The columns of a comma-separated list. */
  function readColumns(source: RowSource, text = ''): string[] {
    const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
    const types = typesOf(source);
    if (names.some((name) => !types.has(name)))
      throw invalid(['query', 'columns'], 'no such column in this table', text);
    if (names.length > mostTotals) throw invalid(['query', 'columns'], `at most ${mostTotals} columns`, text);
    return names;
  }

  async function list(scope: Scope, id: string, query: RowListQuery, filters: readonly Filter[]): Promise<RowPage> {
    return reading(scope, id, async (from, source, isVersioned) => {
      const where = matchingCondition(source, { filters, search: query.search }, ['query', 'filter']);
      const order = readOrder(source, query.sort, ['query', 'sort']);
      const { cursor, offset } = query;
      if (cursor !== undefined && offset !== undefined)
        throw invalid(['query', 'offset'], 'a page begins after a cursor or at an offset, not both', offset);
      const after = cursor === undefined ? undefined : readCursor(order, cursor, ['query', 'cursor']);
      const page = await readPage(from, source, {
        ...{ where, order, after, offset, size: query.size },
        etags: (query.etags ?? false) && isVersioned,
      });
      const total = query.total ? await countRows(from, source, where) : null;
      const updated = query.updated ? { updated: await findWriters(scope, id, page.items) } : {};
      return { ...page, total, ...updated };
    });
  }

  /** The row itself for the event, if only one was written. */
  async function singleRow(tx: Db, table: TableRow, ids: readonly (string | number)[]) {
    const [row_id] = ids;
    if (row_id === undefined || ids.length > 1) return {};
    return { row: required(await findRow(tx, { ...table, relation: relationOf(table) }, row_id)) };
  }

  async function find(scope: Scope, id: string, row_id: string): Promise<VersionedRow> {
    const found = await reading(scope, id, (from, source, isVersioned) =>
      findVersionedRow(from, source, readRowId(source, row_id), isVersioned),
    );
    if (!found) throw notFound('row');
    return found;
  }

  const charge = (scope: Scope, rows: unknown) => chargeRows(storage, scope.workspace_id, rows);

  const save = async (scope: Scope, id: string, row_id: string, input: object): Promise<VersionedRow> => {
    await charge(scope, input);
    return withTable(scope, id, (table) =>
      db.transaction(scope, async (tx) => {
        if (Object.hasOwn(input, 'id')) throw invalid(['body', 'id'], 'the id of a row does not change', null);
        const own = readRowId(table, row_id);
        const seen = scope.save_check && (await lockRowVersion(tx, table, own));
        if (seen) scope.save_check?.saw(seen);
        const [cells] = (await readRows(tx, table, [input], () => ['body'])) as [Cells];
        const saved = await write.updateRow(tx, newChange(scope, table, 'update'), table, own, cells);
        if (!saved) throw notFound('row');
        await publishRowChange(tx, scope, table, 'updated', [own], { row: saved.row });
        return saved;
      }),
    );
  };

  return {
    reading,

    total: (scope, id, { filter, search, columns }) =>
      reading(scope, id, (from, source) => {
        const filters = readFilters(filter, ['query', 'filter']);
        const where = matchingCondition(source, { filters, search }, ['query', 'filter']);
        return totalRows(from, source, where, readColumns(source, columns));
      }),

    list: (scope, id, query) => list(scope, id, query, readFilters(query.filter, ['query', 'filter'])),
    search: list,

    get: async (scope, id, row_id) => (await find(scope, id, row_id)).row,
    find,

    async insert(scope, id, input) {
      await charge(scope, input);
      return withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const rows = await readRows(tx, table, [input], () => ['body']);
          const [row_id] = (await write.insertRows(tx, table, rows)) as [string | number];
          await noteCreatedRows(tx, newChange(scope, table, 'insert'), table, [row_id]);
          const row = required(await findRow(tx, { ...table, relation: relationOf(table) }, row_id));
          await publishRowChange(tx, scope, table, 'created', [row_id], { row });
          return row;
        }),
      );
    },

    async insertMany(scope, id, inputs) {
      await charge(scope, inputs);
      return withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const rows = await readRows(tx, table, inputs, (index) => ['body', String(index)]);
          const ids = await write.insertRows(tx, table, rows);
          await noteCreatedRows(tx, newChange(scope, table, 'insert'), table, ids);
          await publishRowChange(tx, scope, table, 'created', ids, await singleRow(tx, table, ids));
          return { inserted: ids.length, ids };
        }),
      );
    },

    update: async (scope, id, row_id, input) => (await save(scope, id, row_id, input)).row,
    save,

    remove: (scope, id, row_id) =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const own = readRowId(table, row_id);
          const gone = await deleteRowsAndReferences(tx, newChange(scope, table, 'delete'), table, [own]);
          if (gone.length === 0) throw notFound('row');
          await publishRowChange(tx, scope, table, 'deleted', [own]);
        }),
      ),

    async upsert(scope, id, { rows: inputs, on }) {
      await charge(scope, inputs);
      return withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const placeOf = (index: number) => ['body', 'rows', String(index)];
          if (on !== 'id' && !table.columns.some(({ name }) => name === on))
            throw invalid(['body', 'on'], 'no such column in this table', on);
          const rows = await readRows(tx, table, inputs, placeOf);
          requireKeys(rows, on, placeOf);
          await write.lockUpserts(tx, table);
          const change = newChange(scope, table, 'upsert');
          const matched = await write.updateByKey(tx, change, table, on, rows);
          const found = new Set(matched.map(({ place }) => place));
          const fresh = rows.filter((_, index) => !found.has(index));
          const ids = await write.insertRows(tx, table, fresh);
          if (ids.length) await noteCreatedRows(tx, change, table, ids);
          await publishRowChange(tx, scope, table, 'created', ids, await singleRow(tx, table, ids));
          const changed = matched.map((row) => row.id);
          await publishRowChange(tx, scope, table, 'updated', changed, await singleRow(tx, table, changed));
          return { updated: rows.length - fresh.length, inserted: ids.length, ids };
        }),
      );
    },
  };
}

/** Requires a key in each row and refuses duplicate keys. */
function requireKeys(rows: readonly Cells[], on: string, placeOf: (index: number) => string[]): void {
  const validationErrors: ValidationError[] = [];
  const seen = new Set<string>();
  rows.forEach((row, index) => {
    const key = JSON.stringify(row[on] ?? null);
    const error =
      key === 'null'
        ? 'each row needs a value by which it is found'
        : seen.has(key)
          ? 'two rows have this value'
          : undefined;
    seen.add(key);
    if (error)
      validationErrors.push({
        loc: [...placeOf(index), on],
        msg: `Value error, ${error}`,
        type: 'value_error',
        input: row[on] ?? null,
        ctx: { error },
      });
  });
  if (validationErrors.length) throw new InvalidRequest(validationErrors.slice(0, 1000));
}
