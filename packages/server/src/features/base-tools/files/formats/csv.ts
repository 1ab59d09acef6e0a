import { csvLine } from '@atrium/contract/csv/csv-line.ts';

/** The value of a cell, as tools get it. */
export type CellValue = string | number | boolean | null;

/** CSV with a byte order mark, by which spreadsheet programs recognise UTF-8. Texts that look like formulas stay texts. */
export const renderCsv = (rows: readonly (readonly CellValue[])[]): Buffer =>
  Buffer.from(`\uFEFF${rows.map((row) => csvLine(row, { quote_outer_space: true })).join('') || '\r\n'}`);
