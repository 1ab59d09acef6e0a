import { type DocumentWriter, joinCellsByTab } from './document-writer.ts';
import type { ExtractChoices } from './driver.ts';
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

/** Writes the rows of one table as they come. */
export function makeRowWriter(
  document: DocumentWriter,
  choices: NonNullable<ExtractChoices['tabular']>,
  { name, max_chars }: { name: string | null; max_chars: number },
) {
  const { layout = 'table', headers = true, max_text_rows = Number.POSITIVE_INFINITY, max_rows = 1_000_000 } = choices;
  const { all_rows = false } = choices;
  const rows: string[][] = [];
  const table = layout === 'records' ? document.rows({ name, page: null, rows }) : -1;
  let header: string[] | undefined;
  let [count, cells, chars, written] = [0, 0, 0, 0];

  function stop(reason: string): false {
    document.warn(name ? `${reason} (sheet ${JSON.stringify(name)})` : reason);
    return false;
  }

  return {
    /** Whether more is wanted. */
    row(cellsAsRead: string[]): boolean {
      const row = cellsAsRead.map(clean);
      if (row.every((cell) => cell.trim() === '')) return true;
      if (count >= max_rows) return stop(`Only the first ${max_rows} rows were read; the rest was left out.`);
      if (layout === 'table' && count >= max_text_rows && !all_rows)
        return stop(`Only the first ${max_text_rows} rows are in the text.`);
      cells += row.length;
      if (cells > mostCells) return stop(`Only the first ${count} rows were read: it has too many cells.`);
      rows.push(row);
      if (headers && layout === 'records' && !header) {
        header = row;
        return true;
      }
      count++;
      if (layout === 'table') {
        chars += row.reduce((sum, cell) => sum + cell.length + 1, 0);
        const fits = document.length() + chars <= max_chars;
        if (written === count - 1 && count <= max_text_rows && (fits || !all_rows)) written = count;
        return fits || all_rows;
      }
      if (written < max_text_rows && !document.full()) {
        document.add('row', header ? record(row, header) : joinCellsByTab(row), { table });
        written++;
      }
      return true;
    },
    end(): void {
      if (layout === 'table') {
        if (document.full() && all_rows) document.rows({ name, page: null, rows });
        else document.table(rows.slice(0, written), { name, markdown: false, all: rows });
      }
      if (written < count && !document.full())
        document.warn(`Only the first ${written} of ${count} rows are in the text.`);
    },
  };
}
