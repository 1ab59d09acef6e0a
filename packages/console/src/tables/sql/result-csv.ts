import { csvLine } from '@atrium/contract/csv/csv-line.ts';

/** Rows as CSV. Texts that a spreadsheet would run as a formula are made harmless, also as names of columns. */
export const writeCsv = (columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string =>
  [csvLine(columns), ...rows.map((row) => csvLine(columns.map((column) => row[column])))].join('');
