import { InvalidRequest, invalid, notFound, type ValidationError } from '@atrium/contract/errors.ts';
import type { RowListQuery, RowsUpsert } from '@atrium/contract/tables/rows-schema.ts';
import { idValueType } from '@atrium/contract/tables/types.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { platformRelation } from '../platform-tables.ts';
import { publishRowChange } from '../publish-row-change.ts';
import type { ReadAsWorkspace } from '../query/read-as-workspace.ts';
import { type AnyTable, readOnly, type Tables } from '../service.ts';
import type { TableRow } from '../store.ts';
import { isUnfitValue, makeValueReader } from '../value-reader.ts';
import { explainRowErrors } from './explain-row-errors.ts';
import { conditions, type Filter, readFilters } from './filters.ts';
import { danglingIn } from './find-dangling-references.ts';
import { type Cells, makeRowReader } from './read-row-input.ts';
import { countRows, findRow, type RowPage, readPage } from './read-rows.ts';
import { readCursor, readOrder } from './row-order.ts';
import type { Row, RowSource } from './row-source.ts';
import * as write from './write-rows.ts';

export type Rows = ReturnType<typeof makeRows>;

interface Needs {
  db: Database;
  tables: Pick<Tables, 'find'>;
  asWorkspace: ReadAsWorkspace;
}

/** What was prepared for a table can be refused by one that has changed since. */
const mayBeStale = (error: unknown) => /^(42|22|0A)/.test(String((error as { code?: unknown } | null)?.code ?? ''));
const tries = 4;

export function makeRows({ db, tables, asWorkspace }: Needs) {
  /** Does something with a table as it is now. Where its columns changed in the middle, it is done anew for the new ones. */
  async function withTable<T>(
    scope: Scope,
    id: string,
    work: (table: TableRow) => Promise<T>,
    known?: AnyTable,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const found = attempt === 1 && known ? known : await tables.find(scope, id);
      if (found.source === 'platform') throw readOnly();
      try {
        return await explainRowErrors(db, found.row, () => work(found.row));
      } catch (error) {
        if (!mayBeStale(error) || attempt === tries) throw error;
        const now = await tables.find(scope, id);
        if (now.source === 'custom' && now.row.version === found.row.version) throw error;
      }
    }
  }

  /** The same for reading, which the platform's tables allow too: they are read as the workspace's own role. */
  async function reading<T>(scope: Scope, id: string, work: (from: Db, source: RowSource) => Promise<T>): Promise<T> {
    const found = await tables.find(scope, id);
    if (found.source === 'custom')
      return withTable(scope, id, (row) => work(db, { ...row, relation: relationOf(row) }), found);
    const { sql_name, columns } = found.table;
    const source: RowSource = { relation: platformRelation(sql_name), id_type: 'uuid', columns };
    return asWorkspace(scope, (tx) => work(tx, source));
  }

  /** An id as it stands in a path. */
  function rowId({ id_type }: Pick<RowSource, 'id_type'>, text: string): string | number {
    const read = makeValueReader(idValueType(id_type))(text);
    if (!isUnfitValue(read)) return read.value as string | number;
    throw new InvalidRequest([{ loc: ['path', 'row_id'], ...read, input: text }]);
  }

  /** Reads given rows against the table, whose references have to be there too. */
  async function checked(tx: Db, table: TableRow, inputs: readonly object[], placeOf: (index: number) => string[]) {
    const reader = makeRowReader(table);
    const rows = inputs.map((input, index) => reader.read(input, placeOf(index)));
    reader.done();
    const dangling = await danglingIn(tx, table, rows, placeOf);
    if (dangling.length) throw new InvalidRequest(dangling);
    return rows;
  }

  async function list(scope: Scope, id: string, query: RowListQuery, filters: readonly Filter[]): Promise<RowPage> {
    return reading(scope, id, async (from, source) => {
      const where = conditions(source, filters, ['query', 'filter']);
      const order = readOrder(source, query.sort, ['query', 'sort']);
      const after = query.cursor === undefined ? undefined : readCursor(order, query.cursor, ['query', 'cursor']);
      const page = await readPage(from, source, { where, order, after, size: query.size });
      return { ...page, total: query.total ? await countRows(from, source, where) : null };
    });
  }

  /** Whoever listens is told a row that was written alone, by whichever way. */
  async function only(tx: Db, table: TableRow, ids: readonly (string | number)[]) {
    const [row_id] = ids;
    if (row_id === undefined || ids.length > 1) return {};
    return { row: (await findRow(tx, { ...table, relation: relationOf(table) }, row_id)) as Row };
  }

  return {
    withTable,
    reading,
    checked,

    list: (scope: Scope, id: string, query: RowListQuery & { filter?: string | undefined }) =>
      list(scope, id, query, readFilters(query.filter, ['query', 'filter'])),
    /** The same with filters that are data already. */
    search: list,

    async get(scope: Scope, id: string, row_id: string): Promise<Row> {
      const row = await reading(scope, id, (from, source) => findRow(from, source, rowId(source, row_id)));
      if (!row) throw notFound('row');
      return row;
    },

    /** One row, shown as it was stored. */
    insert: (scope: Scope, id: string, input: object): Promise<Row> =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const rows = await checked(tx, table, [input], () => ['body']);
          const [row_id] = (await write.insertRows(tx, table, rows)) as [string | number];
          const row = (await findRow(tx, { ...table, relation: relationOf(table) }, row_id)) as Row;
          await publishRowChange(tx, scope, table, 'created', [row_id], { row });
          return row;
        }),
      ),

    /** All of them or none. */
    insertMany: (scope: Scope, id: string, inputs: readonly object[]) =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const rows = await checked(tx, table, inputs, (index) => ['body', String(index)]);
          const ids = await write.insertRows(tx, table, rows);
          await publishRowChange(tx, scope, table, 'created', ids, await only(tx, table, ids));
          return { inserted: ids.length, ids };
        }),
      ),

    update: (scope: Scope, id: string, row_id: string, input: object): Promise<Row> =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          if (Object.hasOwn(input, 'id')) throw invalid(['body', 'id'], 'the id of a row does not change', null);
          const [cells] = (await checked(tx, table, [input], () => ['body'])) as [Cells];
          const row = await write.updateRow(tx, table, rowId(table, row_id), cells);
          if (!row) throw notFound('row');
          await publishRowChange(tx, scope, table, 'updated', [row.id], { row });
          return row;
        }),
      ),

    remove: (scope: Scope, id: string, row_id: string): Promise<void> =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const own = rowId(table, row_id);
          if (!(await write.deleteRow(tx, table, own))) throw notFound('row');
          await publishRowChange(tx, scope, table, 'deleted', [own]);
        }),
      ),

    /** Rows with a key that is there are changed, the others made. Two upserts of one table follow each other. */
    upsert: (scope: Scope, id: string, { rows: inputs, on }: RowsUpsert) =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const placeOf = (index: number) => ['body', 'rows', String(index)];
          if (on !== 'id' && !table.columns.some(({ name }) => name === on))
            throw invalid(['body', 'on'], 'no such column in this table', on);
          const rows = await checked(tx, table, inputs, placeOf);
          requireKeys(rows, on, placeOf);
          await write.lockUpserts(tx, table);
          const matched = await write.updateByKey(tx, table, on, rows);
          const found = new Set(matched.map(({ place }) => place));
          const fresh = rows.filter((_, index) => !found.has(index));
          const ids = await write.insertRows(tx, table, fresh);
          await publishRowChange(tx, scope, table, 'created', ids, await only(tx, table, ids));
          const changed = matched.map((row) => row.id);
          await publishRowChange(tx, scope, table, 'updated', changed, await only(tx, table, changed));
          return { updated: rows.length - fresh.length, inserted: ids.length, ids };
        }),
      ),
  };
}

/** Each row says which it is, and no two say the same. */
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
