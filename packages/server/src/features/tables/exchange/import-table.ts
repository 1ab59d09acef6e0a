import { parse as parsePath } from 'node:path';
import { InvalidRequest, invalid, type ValidationError } from '@atrium/contract/errors.ts';
import type { ImportNewQuery, ImportQuery, ImportReport } from '@atrium/contract/tables/exchange/schema.ts';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { DecodeText } from '../../../drivers/extractors/driver.ts';
import type { UploadedFile } from '../../../lib/route.ts';
import type { Scope } from '../../../lib/scope.ts';
import { chargeMoreRows, type RowStorage } from '../charge-rows.ts';
import type { Columns } from '../columns/columns.ts';
import { emptyTable } from '../ddl/ddl-store.ts';
import { dryRunDdl, runDdl } from '../ddl/ddl-transaction.ts';
import { prepareSpace } from '../ddl/workspace-schema-store.ts';
import {
  forgetTableHistory,
  newChange,
  noteChangeWithoutRows,
  noteCreatedRows,
} from '../history/record-change-store.ts';
import { publishRowChange } from '../publish-row-change.ts';
import { explainRowErrors } from '../rows/explain-row-errors.ts';
import { findDanglingReferences } from '../rows/find-dangling-references.ts';
import { insertRows } from '../rows/write-row-store.ts';
import { readOnly, type Tables } from '../service.ts';
import type { TableRow } from '../store.ts';
import { type CellFormat, readCellFormat } from './cell-format.ts';
import { checkGivenColumns, type GivenTypes, readGivenTypes } from './given-types.ts';
import { makeTypeGuesser } from './guess-column-type.ts';
import { makeLineReader } from './line-reader.ts';
import { type Header, matchHeaders } from './match-headers.ts';
import { type Line, openSheet, type Sheet } from './open-sheet.ts';
import { withSpooledUpload } from './spool-upload.ts';

/** The text fields of the form; they may come after the file. */
type FormFields = { format?: string };

/** Imports files and rows into tables. */
export interface TableImport {
  /** Into an existing table; missing columns are created or refused. */
  into(
    scope: Scope,
    id: string,
    query: ImportQuery,
    files: AsyncIterable<UploadedFile>,
    fields?: FormFields,
  ): Promise<ImportReport>;
  /**
   * From rows whose first one names the columns; returns the id of the table. The known table is filled again if its
   * columns are the same, otherwise a new one is created. Lines that do not fit are left out.
   */
  fromRows(
    scope: Scope,
    target: { name: string; meta: Record<string, unknown>; known: string | undefined },
    rows: readonly (readonly string[])[],
  ): Promise<string>;
  /** Into a new table, named after the file unless a name is given. */
  asNew(
    scope: Scope,
    query: ImportNewQuery,
    files: AsyncIterable<UploadedFile>,
    fields?: FormFields,
  ): Promise<ImportReport>;
}

interface Needs {
  db: Database;
  tables: Pick<Tables, 'find' | 'hold' | 'createIn'>;
  columns: Pick<Columns, 'addIn'>;
  decodeText: DecodeText;
  findEncoding(name: string): string | undefined;
  storage: RowStorage;
}

/** The lines of a file, what its columns are, and how its values are written. */
interface Source {
  sheet: Sheet;
  headers: readonly Header[];
  format?: CellFormat | undefined;
  warnings: ImportReport['warnings'];
}

const batchSize = 1000;
const previewLines = 5;
const mostLines = 1_000_000;
const mostErrors = 1000;
/** Of a larger import the history has no single rows. */
const mostNotedRows = 10_000;
const mostColumns = 500;

async function readTitles(sheet: Sheet): Promise<Line> {
  for await (const line of sheet()) return line;
  throw invalid(['body', 'file'], 'it has no line with the names of the columns', null);
}

/** The lines below the titles. */
async function* readLines(sheet: Sheet): AsyncGenerator<Line> {
  let count = 0;
  for await (const line of sheet()) {
    if (count++ > mostLines) throw invalid(['body', 'file'], `it has more than ${mostLines} lines`, null);
    if (count > 1) yield line;
  }
}

/** The new columns, with the given types, else with the narrowest type that all their cells fit. */
async function guessColumns(sheet: Sheet, headers: readonly Header[], format?: CellFormat, given: GivenTypes = {}) {
  checkGivenColumns(given, headers);
  const guessers = headers.map(({ isNew }) => (isNew ? makeTypeGuesser(format) : undefined));
  if (guessers.some(Boolean))
    for await (const { cells, typed, escaped } of readLines(sheet))
      guessers.forEach((guesser, index) => {
        const cell = cells[index] ?? null;
        if (cell !== null) guesser?.see(cell, { isTyped: typed?.[index], isText: escaped?.[index] });
      });
  const created: { name: string; type: ValueType; label: string }[] = [];
  const warnings: ImportReport['warnings'] = [];
  headers.forEach(({ name, title }, index) => {
    const guesser = guessers[index];
    if (!guesser) return;
    const type = given[name];
    created.push({ name, type: type ?? guesser.type(), label: title });
    const message = type ? undefined : guesser.doubt();
    if (message !== undefined) warnings.push({ column: name, message });
  });
  return { created, warnings };
}

/** Stores the lines that fit and reports the rest. */
async function storeLines(
  tx: Db,
  table: TableRow,
  { sheet, headers, format }: Source,
  charge: (rows: readonly object[]) => void,
) {
  const reader = makeLineReader(table, headers, format);
  const preview: ImportReport['preview'] = [];
  const validationErrors: ValidationError[] = [];
  const ids: (string | number)[] = [];
  let [lines, skipped, inserted] = [0, 0, 0];
  let batch: { line: number; cells: Record<string, unknown> }[] = [];
  const flush = async () => {
    const placeOf = (index: number) => ['body', 'file', String(batch[index]?.line)];
    const dangling = await findDanglingReferences(
      tx,
      table,
      batch.map(({ cells }) => cells),
      placeOf,
    );
    const bad = new Set(dangling.map(({ loc }) => Number(loc[2])));
    const good = batch.filter(({ line }) => !bad.has(line));
    validationErrors.push(...dangling);
    skipped += batch.length - good.length;
    const rows = good.map(({ cells }) => cells);
    charge(rows);
    const insertedIds = await insertRows(tx, table, rows);
    inserted += insertedIds.length;
    if (ids.length < mostNotedRows) ids.push(...insertedIds);
    batch = [];
  };
  for await (const line of readLines(sheet)) {
    lines++;
    const read = reader(line);
    if ('validationErrors' in read) {
      skipped++;
      validationErrors.push(...read.validationErrors);
    } else {
      batch.push({ line: line.line, cells: read.cells });
      if (preview.length < previewLines) preview.push({ line: line.line, values: read.cells });
    }
    if (batch.length >= batchSize) await flush();
  }
  await flush();
  return { lines, skipped, inserted, validationErrors, ids, preview };
}

export function makeTableImport({ db, tables, columns, decodeText, findEncoding, storage }: Needs): TableImport {
  /** Creates columns and stores rows in one transaction. */
  async function run(
    scope: Scope,
    source: Source,
    { dry_run, on_error }: Pick<ImportQuery, 'dry_run' | 'on_error'>,
    prepare: (tx: Db) => Promise<{ table: TableRow; created: ImportReport['columns_created'] }>,
  ): Promise<ImportReport> {
    if (!dry_run) await storage.requireRoom(scope.workspace_id, 0);
    const charge = (rows: readonly object[]) => {
      if (!dry_run) chargeMoreRows(storage, scope.workspace_id, rows);
    };
    const whole = async (tx: Db) => {
      const { table, created } = await prepare(tx);
      const stored = await explainRowErrors(db, table, () => storeLines(tx, table, source, charge));
      const { lines, skipped, inserted, validationErrors, ids, preview } = stored;
      if (validationErrors.length && on_error === 'abort' && !dry_run)
        throw new InvalidRequest(validationErrors.slice(0, mostErrors));
      const change = newChange(scope, table, 'import');
      if (inserted > mostNotedRows) await noteChangeWithoutRows(tx, change, { created: inserted });
      else if (inserted) await noteCreatedRows(tx, change, table, ids);
      // The text of a file is untrusted.
      await publishRowChange(tx, { ...scope, brings: ['untrusted'] }, table, 'created', ids, { count: inserted });
      const errors = validationErrors.slice(0, mostErrors).map(({ loc, msg }) => ({
        line: Number(loc[2]),
        column: loc[3] ?? '',
        message: msg,
      }));
      const { warnings } = source;
      const counts = { lines, inserted, skipped };
      const { id, name } = table;
      scope.audit?.note({ target: { kind: 'table', id, name }, after: counts });
      return { table_id: table.id, dry_run, ...counts, columns_created: created, errors, warnings, preview };
    };
    await prepareSpace(db, scope.workspace_id);
    return dry_run ? dryRunDdl(db, whole) : runDdl(db, scope, whole);
  }

  /** The lines of an uploaded file and their format; an unknown encoding or format is refused before it is read. */
  async function openUpload(
    path: string,
    { encoding = 'auto', format, unescape_formulas }: Pick<ImportQuery, 'encoding' | 'format' | 'unescape_formulas'>,
    fields: FormFields,
  ) {
    if (encoding !== 'auto' && !findEncoding(encoding))
      throw invalid(['query', 'encoding'], 'there is no encoding of this name', encoding);
    const where = fields.format === undefined ? 'query' : 'body';
    const cellFormat = readCellFormat(fields.format ?? format, [where, 'format']);
    return { sheet: await openSheet(path, decodeText, { encoding, unescape_formulas }), format: cellFormat };
  }

  return {
    into: (scope, id, query, files, fields = {}) =>
      withSpooledUpload(files, async (path) => {
        const found = await tables.find(scope, id);
        if (found.source === 'platform') throw readOnly();
        const { sheet, format } = await openUpload(path, query, fields);
        const titles = await readTitles(sheet);
        const headers = matchHeaders(titles.cells, found.row.columns);
        const { created, warnings } = await guessColumns(sheet, headers, format, readGivenTypes(query.types));
        if (created.length && !query.create_columns)
          throw new InvalidRequest(
            created.map(({ label }) => ({
              loc: ['body', 'file', String(titles.line), label],
              msg: 'Value error, the table has no such column',
              type: 'value_error',
              input: label,
              ctx: { error: 'the table has no such column' },
            })),
          );
        return run(scope, { sheet, headers, format, warnings }, query, async (tx) => {
          const table = await tables.hold(tx, scope, id);
          return { table: await columns.addIn(tx, scope, table, created), created };
        });
      }),

    async fromRows(scope, { name, meta, known }, rows) {
      const sheet: Sheet = async function* () {
        for (const [at, row] of rows.entries())
          yield { line: at + 1, cells: row.slice(0, mostColumns).map((cell) => (cell === '' ? null : cell)) };
      };
      // The name `id` is taken by the id of the row.
      const titles = (await readTitles(sheet)).cells.map((title) =>
        title?.trim().toLowerCase() === 'id' ? 'row id' : title,
      );
      const headers = matchHeaders(titles, []);
      const { created: columns } = await guessColumns(sheet, headers);
      const shape = (of: readonly { name: string; type: string }[]) =>
        of.map((column) => `${column.name} ${column.type}`).join();
      const { table_id } = await run(
        scope,
        { sheet, headers, warnings: [] },
        { dry_run: false, on_error: 'skip' },
        async (tx) => {
          const before = known === undefined ? undefined : await tables.hold(tx, scope, known);
          if (!before || shape(before.columns) !== shape(columns))
            return {
              table: await tables.createIn(tx, scope, { name, id_type: 'autoincrement', columns, meta }),
              created: columns,
            };
          await tx.run(emptyTable(before));
          await forgetTableHistory(tx, before);
          return { table: before, created: columns };
        },
      );
      return table_id;
    },

    asNew: (scope, query, files, fields = {}) =>
      withSpooledUpload(files, async (path, filename) => {
        const { sheet, format } = await openUpload(path, query, fields);
        const headers = matchHeaders((await readTitles(sheet)).cells, []);
        const { created, warnings } = await guessColumns(sheet, headers, format, readGivenTypes(query.types));
        const name = query.name ?? (parsePath(filename).name.slice(0, 200) || 'Table');
        return run(scope, { sheet, headers, format, warnings }, query, async (tx) => {
          const table = await tables.createIn(tx, scope, { name, id_type: query.id_type, columns: created });
          return { table, created };
        });
      }),
  };
}
