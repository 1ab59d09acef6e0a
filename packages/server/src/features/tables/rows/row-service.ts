import { InvalidRequest, invalid, notFound, type ValidationError } from '@atrium/contract/errors.ts';
import type { RowListQuery } from '@atrium/contract/tables/rows-schema.ts';
import { idValueType } from '@atrium/contract/tables/types.ts';
import type { Database, Db } from '../../../db/database.ts';
import { errorCode } from '../../../lib/error-code.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { platformRelation } from '../platform-tables.ts';
import type { Rows } from '../ports.ts';
import { publishRowChange } from '../publish-row-change.ts';
import type { ReadAsWorkspace } from '../query/read-as-workspace.ts';
import { type AnyTable, readOnly, type Tables } from '../service.ts';
import type { TableRow } from '../store.ts';
import { isUnfitValue, makeValueReader } from '../value-reader.ts';
import { explainRowErrors } from './explain-row-errors.ts';
import { conditions } from './filter-store.ts';
import { type Filter, readFilters } from './filters.ts';
import { findDanglingReferences } from './find-dangling-references.ts';
import { type Cells, makeRowReader } from './read-row-input.ts';
import { countRows, findRow, findVersionedRow, type RowPage, readPage } from './read-row-store.ts';
import { readCursor, readOrder } from './row-order.ts';
import type { RowSource, VersionedRow } from './row-source.ts';
import { lockRowVersion } from './row-version-store.ts';
import * as write from './write-row-store.ts';

/** The row service as the rest of this feature uses it. */
export interface RowService extends Rows {
  /** Reads from a table of the workspace or of the platform. */
  reading<T>(
    scope: Scope,
    id: string,
    work: (from: Db, source: RowSource, isVersioned: boolean) => Promise<T>,
  ): Promise<T>;
}

interface Needs {
  db: Database;
  tables: Pick<Tables, 'find'>;
  asWorkspace: ReadAsWorkspace;
}

/** Error codes after which a statement may have been prepared for columns that have changed since. */
const mayBeStale = (error: unknown) => /^(42|22|0A)/.test(String(errorCode(error) ?? ''));
const tries = 4;

export function makeRows({ db, tables, asWorkspace }: Needs): RowService {
  /** Runs `work` with the current table, and again if its columns changed meanwhile. */
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

  /** The same for reading. Tables of the platform are read under the database role of the workspace. */
  async function reading<T>(
    scope: Scope,
    id: string,
    work: (from: Db, source: RowSource, isVersioned: boolean) => Promise<T>,
  ): Promise<T> {
    const found = await tables.find(scope, id);
    if (found.source === 'custom')
      return withTable(scope, id, (row) => work(db, { ...row, relation: relationOf(row) }, true), found);
    const { sql_name, columns } = found.table;
    const source: RowSource = { relation: platformRelation(sql_name), id_type: 'uuid', columns };
    return asWorkspace(scope, (tx) => work(tx, source, false));
  }

  /** Reads the id of a path. */
  function readRowId({ id_type }: Pick<RowSource, 'id_type'>, text: string): string | number {
    const read = makeValueReader(idValueType(id_type))(text);
    if (!isUnfitValue(read)) return read.value as string | number;
    throw new InvalidRequest([{ loc: ['path', 'row_id'], ...read, input: text }]);
  }

  /** Checks rows against the columns of the table and their references against the tables they refer to. */
  async function readRows(tx: Db, table: TableRow, inputs: readonly object[], placeOf: (index: number) => string[]) {
    const reader = makeRowReader(table);
    const rows = inputs.map((input, index) => reader.read(input, placeOf(index)));
    reader.done();
    const dangling = await findDanglingReferences(tx, table, rows, placeOf);
    if (dangling.length) throw new InvalidRequest(dangling);
    return rows;
  }

  async function list(scope: Scope, id: string, query: RowListQuery, filters: readonly Filter[]): Promise<RowPage> {
    return reading(scope, id, async (from, source, isVersioned) => {
      const where = conditions(source, filters, ['query', 'filter']);
      const order = readOrder(source, query.sort, ['query', 'sort']);
      const after = query.cursor === undefined ? undefined : readCursor(order, query.cursor, ['query', 'cursor']);
      const page = await readPage(from, source, {
        ...{ where, order, after, size: query.size },
        etags: (query.etags ?? false) && isVersioned,
      });
      return { ...page, total: query.total ? await countRows(from, source, where) : null };
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

  const save = (scope: Scope, id: string, row_id: string, input: object): Promise<VersionedRow> =>
    withTable(scope, id, (table) =>
      db.transaction(scope, async (tx) => {
        if (Object.hasOwn(input, 'id')) throw invalid(['body', 'id'], 'the id of a row does not change', null);
        const own = readRowId(table, row_id);
        const seen = scope.save_check && (await lockRowVersion(tx, table, own));
        if (seen) scope.save_check?.saw(seen);
        const [cells] = (await readRows(tx, table, [input], () => ['body'])) as [Cells];
        const saved = await write.updateRow(tx, table, own, cells);
        if (!saved) throw notFound('row');
        await publishRowChange(tx, scope, table, 'updated', [own], { row: saved.row });
        return saved;
      }),
    );

  return {
    reading,

    list: (scope, id, query) => list(scope, id, query, readFilters(query.filter, ['query', 'filter'])),
    search: list,

    get: async (scope, id, row_id) => (await find(scope, id, row_id)).row,
    find,

    insert: (scope, id, input) =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const rows = await readRows(tx, table, [input], () => ['body']);
          const [row_id] = (await write.insertRows(tx, table, rows)) as [string | number];
          const row = required(await findRow(tx, { ...table, relation: relationOf(table) }, row_id));
          await publishRowChange(tx, scope, table, 'created', [row_id], { row });
          return row;
        }),
      ),

    insertMany: (scope, id, inputs) =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const rows = await readRows(tx, table, inputs, (index) => ['body', String(index)]);
          const ids = await write.insertRows(tx, table, rows);
          await publishRowChange(tx, scope, table, 'created', ids, await singleRow(tx, table, ids));
          return { inserted: ids.length, ids };
        }),
      ),

    update: async (scope, id, row_id, input) => (await save(scope, id, row_id, input)).row,
    save,

    remove: (scope, id, row_id) =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const own = readRowId(table, row_id);
          if (!(await write.deleteRow(tx, table, own))) throw notFound('row');
          await publishRowChange(tx, scope, table, 'deleted', [own]);
        }),
      ),

    upsert: (scope, id, { rows: inputs, on }) =>
      withTable(scope, id, (table) =>
        db.transaction(scope, async (tx) => {
          const placeOf = (index: number) => ['body', 'rows', String(index)];
          if (on !== 'id' && !table.columns.some(({ name }) => name === on))
            throw invalid(['body', 'on'], 'no such column in this table', on);
          const rows = await readRows(tx, table, inputs, placeOf);
          requireKeys(rows, on, placeOf);
          await write.lockUpserts(tx, table);
          const matched = await write.updateByKey(tx, table, on, rows);
          const found = new Set(matched.map(({ place }) => place));
          const fresh = rows.filter((_, index) => !found.has(index));
          const ids = await write.insertRows(tx, table, fresh);
          await publishRowChange(tx, scope, table, 'created', ids, await singleRow(tx, table, ids));
          const changed = matched.map((row) => row.id);
          await publishRowChange(tx, scope, table, 'updated', changed, await singleRow(tx, table, changed));
          return { updated: rows.length - fresh.length, inserted: ids.length, ids };
        }),
      ),
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
