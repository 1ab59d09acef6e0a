import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { placeInSource } from '../runner/source-places.ts';
import { testServer } from '../support/test-database.ts';
import { compareRow } from './compare-row.ts';
import { readRowCalls } from './read-row-types.ts';
import type { RecordedColumn, RecordedRows } from './record-rows.ts';
import { rowExceptions } from './row-exceptions.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** The columns of the migrated database that may be null, as `table:column` by their numbers. */
async function readNullableColumns(): Promise<Set<string>> {
  const client = new pg.Client(testServer());
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string }>(
      "select attrelid || ':' || attnum as key from pg_attribute where attnum > 0 and not attnotnull and not attisdropped",
    );
    return new Set(rows.map(({ key }) => key));
  } finally {
    await client.end();
  }
}

export interface RowTypeReport {
  /** Typed queries that a test ran. */
  checked: number;
  /** Typed queries that no test ran, as `file:line`. */
  unseen: string[];
  /** Differences between a row type and the columns that PostgreSQL returned. */
  mismatches: string[];
}

/** What stands between a statement of the program and the driver. */
const between = /^db\/(database|statements\/send-statement)\.ts$/;

/** The place in the sources that called `db.row` or `db.rows`: the first one outside of the database module. */
function callSite(places: string): string | undefined {
  for (const place of places.split(' ')) {
    const [file = '', line, column] = place.split(':');
    const { file: path, ...at } = placeInSource({ file, line: Number(line), column: Number(column) });
    const own = path.startsWith(source) ? path.slice(source.length) : undefined;
    if (own !== undefined && !between.test(own)) return `${own}:${at.line}:${at.column}`;
  }
  return undefined;
}

/** What every process recorded: a place may read several tables, so all of its results count, in no order. */
function readRecorded(folder: string): Map<string, RecordedColumn[][]> {
  const recorded = new Map<string, RecordedColumn[][]>();
  const sites = new Map<string, string | undefined>();
  for (const file of readdirSync(folder)) {
    const ofProcess = JSON.parse(readFileSync(join(folder, file), 'utf8')) as RecordedRows;
    for (const [places, results] of Object.entries(ofProcess)) {
      if (!sites.has(places)) sites.set(places, callSite(places));
      const site = sites.get(places);
      if (site !== undefined) recorded.set(site, [...(recorded.get(site) ?? []), ...results]);
    }
  }
  return recorded;
}

/** Compares every recorded statement with the type that the program gives its rows. */
export async function checkRowTypes(folder: string): Promise<RowTypeReport> {
  const recorded = readRecorded(folder);
  const nullable = await readNullableColumns();
  const isNullable = ({ table, column }: RecordedColumn) => nullable.has(`${table}:${column}`);
  const files = globSync('{app,execution,features,db,worker}/**/*.ts', { cwd: source }).filter(
    (file) => !/\.test\.ts$|testing\.ts$/.test(file) && /\.(rows?|one)</.test(readFileSync(join(source, file), 'utf8')),
  );
  const report: RowTypeReport = { checked: 0, unseen: [], mismatches: [] };
  for (const { file, line, column, properties } of readRowCalls(root, source, files)) {
    const results = recorded.get(`${file}:${line}:${column}`);
    if (!results) {
      report.unseen.push(`${file}:${line}`);
      continue;
    }
    report.checked += 1;
    const found = results.flatMap((columns) => compareRow(columns, properties, isNullable));
    const lines = found
      .filter(({ name }) => !rowExceptions.has(`${file} ${name}`))
      .map(({ name, problem }) => `${file}:${line} ${name}: ${problem}`);
    report.mismatches.push(...new Set(lines));
  }
  return report;
}
