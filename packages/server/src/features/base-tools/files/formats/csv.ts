/** A value of a cell as tools are given it. */
export type CellValue = string | number | boolean | null;

const cell = (value: CellValue) => {
  const text = value === null ? '' : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as RFC 4180 has them, with the mark that spreadsheet programs know UTF-8 by. */
export const renderCsv = (rows: readonly (readonly CellValue[])[]): Buffer =>
  Buffer.from(`\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`);
