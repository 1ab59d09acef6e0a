import { csvLine } from '../../../../lib/text/csv.ts';

/** A value of a cell as tools are given it. */
export type CellValue = string | number | boolean | null;

/** CSV with the byte order mark by which spreadsheet programs recognise UTF-8. */
export const renderCsv = (rows: readonly (readonly CellValue[])[]): Buffer =>
  Buffer.from(`\uFEFF${rows.map((row) => csvLine(row, { quote_outer_space: true })).join('') || '\r\n'}`);
