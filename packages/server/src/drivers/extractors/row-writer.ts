import { type DocumentWriter, joinCellsByTab } from './document-writer.ts';
import type { ExtractChoices, Table } from './driver.ts';
import { clean } from './text/read-text.ts';

/** Sheets can be wider and longer than any memory, with nothing in them. */
export const mostColumns = 1000;
const mostCells = 2_000_000;

const record = (row: readonly string[], header: readonly string[]) =>
  row
    .flatMap((value, index) =>
      value.trim() === '' ? [] : `${header[index]?.trim() || `column ${index + 1}`}: ${value.trim()}`,
    )
    .join('\n');

/** A first row with a number or a date in it is data, in a file that is not said to have column names. */
const isValue = (cell: string) => /^[+-]?[\d.,:/ -]+%?$/.test(cell.trim()) && /\d/.test(cell);

/** Writes the rows of one table as they come. Limits count the rows below the header. */
export function makeRowWriter(
  document: DocumentWriter,
  choices: NonNullable<ExtractChoices['tabular']>,
  { name, max_chars, rows_before = 0 }: { name: string | null; max_chars: number; rows_before?: number },
) {
  const { layout = 'table', headers = true, max_text_rows = Number.POSITIVE_INFINITY, max_rows = 1_000_000 } = choices;
  const { all_rows = false } = choices;
  const rows: string[][] = [];
  const table: Table = { name, page: null, rows };
  const place = layout === 'records' ? document.rows(table) : -1;
  let header: string[] | null | undefined;
  let [count, cells, chars, written] = [0, 0, 0, 0];

  function stop(reason: string): false {
    document.warn(name ? `${reason} (sheet ${JSON.stringify(name)})` : reason);
    return false;
  }
  function readHeader(row: string[]): void {
    header = headers || !row.some(isValue) ? row : null;
    if (!header) {
      table.first_row_is_data = true;
      return;
    }
    rows.push(header);
    if (headers) chars += header.reduce((sum, cell) => sum + cell.length + 1, 0);
  }

  return {
    /** Whether more is wanted. */
    row(cellsAsRead: string[]): boolean {
      const row = cellsAsRead.map(clean);
      if (row.every((cell) => cell.trim() === '')) return true;
      cells += row.length;
      if (cells > mostCells) return stop(`Only the first ${count} rows were read: it has too many cells.`);
      if (header === undefined) {
        readHeader(row);
        if (header) return true;
      }
      if (rows_before + count >= max_rows)
        return stop(`Only the first ${max_rows} rows were read; the rest was left out.`);
      if (layout === 'table' && count >= max_text_rows && !all_rows)
        return stop(`Only the first ${max_text_rows} rows are in the text.`);
      rows.push(row);
      count++;
      if (layout === 'table') {
        chars += row.reduce((sum, cell) => sum + cell.length + 1, 0);
        const fits = document.length() + chars <= max_chars;
        if (written === count - 1 && count <= max_text_rows && (fits || !all_rows)) written = count;
        return fits || all_rows;
      }
      if (written < max_text_rows && !document.full()) {
        document.add('row', headers && header ? record(row, header) : joinCellsByTab(row), { table: place });
        written++;
      }
      return true;
    },
    /** Returns how many rows were read. */
    end(): number {
      if (layout === 'table') {
        const [from, to] = header ? [headers ? 0 : 1, written + 1] : [0, written];
        if (rows.length && (from === to || (document.full() && all_rows))) document.rows(table);
        else document.table(rows.slice(from, to), { markdown: false, all: table });
      }
      if (written < count && !document.full())
        document.warn(`Only the first ${written} of ${count} rows are in the text.`);
      return count;
    },
  };
}
