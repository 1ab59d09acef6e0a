import { conflict } from '@atrium/contract/errors.ts';
import { tableCreate } from '@atrium/contract/tables/schema.ts';
import { z } from 'zod';
import type { Database, Db } from '../../../db/database.ts';
import { required } from '../../../lib/required.ts';
import { defineWorkspaceRecords, type ImportTarget } from '../../personal-data/ports.ts';
import { runDdl } from '../ddl/ddl-transaction.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { prepareSpace } from '../ddl/workspace-schema-store.ts';
import { explainRowErrors } from '../rows/explain-row-errors.ts';
import { conditions } from '../rows/filter-store.ts';
import { findDanglingReferences } from '../rows/find-dangling-references.ts';
import { type Cells, makeRowReader } from '../rows/read-row-input.ts';
import { readPage } from '../rows/read-row-store.ts';
import { readCursor, readOrder } from '../rows/row-order.ts';
import type { Row } from '../rows/row-source.ts';
import { insertRows } from '../rows/write-row-store.ts';
import type { Tables } from '../service.ts';
import { findTable, listTables, markUntrusted, type TableRow } from '../store.ts';

const tableRecord = z.object({ id: z.guid(), sql_name: z.string().max(63), table: tableCreate });
type TableRecord = z.output<typeof tableRecord>;
const rowRecord = z.record(z.string(), z.unknown());

const pageSize = 200;
/** A page of rows holds about so many bytes, however large they are. */
const pageBytes = 4 * 1024 ** 2;
const [firstPage, largestPage] = [50, 1000];

const recordOf = ({ id, sql_name, name, description, id_type, meta, columns }: TableRow) => ({
  ...{ id, sql_name },
  table: {
    ...{ name, description, id_type, meta },
    columns: columns.map((column) => ({
      ...{ name: column.name, type: column.type, label: column.label, default: column.default_value },
      ...{ references: column.references_table, on_delete: column.on_delete, indexed: column.indexed },
      choices: column.choices,
    })),
  },
});

/** The tables of a workspace with their rows, as an archive of the workspace has them. Rows keep their ids. */
export function makeTableRecords({ db, tables }: { db: Database; tables: Pick<Tables, 'createIn'> }) {
  async function* list(workspace_id: string) {
    for (let offset = 0; ; offset += pageSize) {
      const rows = await listTables(
        db,
        workspace_id,
        { search: undefined, dropped: false },
        { size: pageSize, offset },
      );
      for (const row of rows) yield recordOf(row) as TableRecord;
      if (rows.length < pageSize) return;
    }
  }

  /** Page by page, so that neither the rows nor a connection are held. */
  async function* listRows(workspace_id: string, { id, table }: TableRecord): AsyncGenerator<Row> {
    const shape = (columns: readonly { name: string; type: string }[]) =>
      columns.map(({ name, type }) => `${name} ${type}`).join();
    for (let [cursor, size]: [string | null | undefined, number] = [undefined, firstPage]; cursor !== null; ) {
      const row = await findTable(db, workspace_id, id);
      // The job tries again with the table as it is then.
      if (!row || shape(row.columns) !== shape(table.columns)) throw new Error('A table changed during an export');
      const source = { ...row, relation: relationOf(row) };
      const order = readOrder(source, undefined, []);
      const after = cursor === undefined ? undefined : readCursor(order, cursor, []);
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(db, source, {
        ...{ where: conditions(source, [], []), order, after, size },
      });
      yield* page.items;
      cursor = page.next_cursor;
      const bytes = JSON.stringify(page.items).length;
      size = Math.max(1, Math.min(largestPage, 2 * size, Math.floor((pageBytes * size) / bytes)));
    }
  }

  /** Empties the cells that refer to rows which the archive does not have; how many. */
  async function emptyDangling(tx: Db, table: TableRow, rows: readonly Cells[]): Promise<number> {
    const dangling = await findDanglingReferences(tx, table, rows, (index) => [String(index)]);
    for (const { loc } of dangling) required(rows[Number(loc[0])])[required(loc[1])] = null;
    // As many as are reported at a time.
    return dangling.length && dangling.length + (await emptyDangling(tx, table, rows));
  }

  async function fill(tx: Db, table: TableRow, batches: AsyncIterable<Cells[]>): Promise<number> {
    let emptied = 0;
    for await (const batch of batches) {
      const reader = makeRowReader(table);
      const rows = batch.map((row, index) => reader.read(row, [table.name, String(index)]));
      reader.done();
      emptied += await emptyDangling(tx, table, rows);
      await insertRows(tx, table, rows);
    }
    return emptied;
  }

  async function restore({ scope, ...target }: ImportTarget, { id, sql_name, table }: TableRecord): Promise<void> {
    const columns = table.columns.map((column) => ({
      ...column,
      references: column.references === undefined ? undefined : required(target.idOf('table', column.references)),
    }));
    const meta = JSON.parse(target.rewriteIds(JSON.stringify(table.meta ?? {}))) as Record<string, unknown>;
    const given = { id: required(target.idOf('table', id)), sql_name };
    const emptied = await runDdl(db, scope, async (tx) => {
      const made = await tables.createIn(tx, scope, { ...table, columns, meta }, given);
      // As the rows of every file that is imported.
      await markUntrusted(tx, scope.workspace_id, made.id);
      return explainRowErrors(tx, made, () => fill(tx, made, target.contentsOf('tables', id, rowRecord)));
    });
    const detail = `${emptied} cells refer to rows that are not in the archive, and are empty`;
    if (emptied) target.note({ what: 'left_out', kind: 'table', name: table.name, detail });
  }

  return defineWorkspaceRecords<TableRecord>({
    kind: 'tables',
    schema: tableRecord,
    list,
    contents: { kind: 'rows', list: listRows },
    nameOf: ({ table }) => table.name,
    idsOf: ({ id }) => [{ kind: 'table', id }],
    refuse: async () => undefined,
    async restore(target, records) {
      if (records.length) await prepareSpace(db, target.scope.workspace_id);
      const waiting = new Map(records.map((record) => [record.id, record]));
      while (waiting.size) {
        const isReady = ({ table }: TableRecord) =>
          !table.columns.some(({ references }) => references !== undefined && waiting.has(references)) &&
          table.columns.every(({ references }) => references === undefined || target.idOf('table', references));
        const ready = [...waiting.values()].filter(isReady);
        if (ready.length === 0)
          throw conflict(
            'The tables of the archive refer to each other in a circle, or to tables that it does not have',
          );
        for (const record of ready) {
          await restore(target, record);
          waiting.delete(record.id);
        }
      }
    },
  });
}
