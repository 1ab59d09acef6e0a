import type { Scope } from '../../../lib/scope.ts';
import type { RowService } from '../rows/row-service.ts';
import { countRowsUpTo, sampleRows } from '../rows/sample-row-store.ts';
import type { ToolTable } from './describe-tables.ts';

/** A few rows of a table, shortened, for a model that has to write SQL for it. */
export interface TableSample {
  table: string;
  /** How many rows there are, in words. */
  rows: string;
  sample: Record<string, unknown>[];
}

const mostTables = 20;
const rowsEach = 3;
const longestCell = 80;
const mostCounted = 100_000;

/** Rounded, so that the prompt stays the same, and with it the provider's cache, while rows are added. */
function describeCount(count: number): string {
  if (count > mostCounted) return `more than ${mostCounted}`;
  return count < 100 ? String(count) : `about ${Number(count.toPrecision(2))}`;
}

function shortenCell(value: unknown): unknown {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : '';
  return text.length <= longestCell ? value : `${text.slice(0, longestCell).toWellFormed()}…`;
}

/** Reads a sample of each table. */
export async function sampleTables(
  scope: Scope,
  tables: readonly ToolTable[],
  rows: Pick<RowService, 'reading'>,
): Promise<TableSample[]> {
  const samples: TableSample[] = [];
  for (const { id, sql_name } of tables.slice(0, mostTables)) {
    const { count, sample } = await rows.reading(scope, id, async (from, source) => ({
      count: await countRowsUpTo(from, source, mostCounted + 1),
      sample: await sampleRows(from, source, rowsEach),
    }));
    const shortened = sample.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shortenCell(value)])),
    );
    samples.push({ table: sql_name, rows: describeCount(count), sample: shortened });
  }
  return samples;
}
