import { makeDocument } from '../document-writer.ts';
import { type Extracted, type ExtractOptions, NotExtractable } from '../driver.ts';
import { wholeOf } from '../read-all-bytes.ts';
import { makeRowWriter, mostColumns } from '../row-writer.ts';
import { openArchive } from './open-archive.ts';
import { mainPart, relationshipsOf } from './relationships.ts';
import { dateOf, dateStyles, numberOf, sharedStrings } from './sheet-values.ts';
import { all, first, parseXml, readXml } from './xml.ts';

interface Values {
  strings: string[];
  dates: Set<number>;
  from1904: boolean;
}

/** The column of an address such as BC12, counted from 0. */
function columnOf(address: string): number {
  let column = 0;
  for (const letter of address) {
    const code = letter.charCodeAt(0) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column - 1;
}

/** What a cell shows. Of a formula it is what the program that saved the file had computed. */
function shownIn(type: string, style: number, written: string, { strings, dates, from1904 }: Values): string {
  if (type === 's') return strings[Number(written)] ?? '';
  if (type === 'b') return written === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n' || written === '') return written;
  return dates.has(style) ? dateOf(Number(written), from1904) : numberOf(written);
}

/** Reads a sheet row by row, until no more is wanted. */
function readSheet(bytes: Uint8Array, values: Values, row: (cells: string[]) => boolean): void {
  let cells: string[] = [];
  let [column, type, style, text, inside] = [0, 'n', 0, '', false];
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'row') [cells, column] = [[], -1];
      else if (name === 'c') {
        const address = attributes['r'];
        column = address ? columnOf(address) : column + 1;
        [type, style, text] = [attributes['t'] ?? 'n', Number(attributes['s'] ?? 0), ''];
      }
      // The text of a cell is in v, or in t when it stands in the cell itself; f is the formula.
      inside = name === 'v' || name === 't';
      return true;
    },
    text(found) {
      if (inside) text += found;
    },
    close(name) {
      inside = false;
      if (name === 'c' && column >= 0 && column < mostColumns) {
        while (cells.length < column) cells.push('');
        cells[column] = shownIn(type, style, text, values);
      }
      return name === 'row' ? row(cells) : true;
    },
  });
}

/** Workbooks, sheet by sheet. */
export async function extractXlsx(content: AsyncIterable<Uint8Array>, options: ExtractOptions): Promise<Extracted> {
  const { max_chars, signal, tabular = {} } = options;
  const archive = openArchive(await wholeOf(content, signal));
  const main = mainPart(archive, 'xl/workbook.xml');
  const bytes = main && archive.read(main);
  if (!bytes) throw new NotExtractable('unreadable', 'there is no workbook in it');
  const related = relationshipsOf(archive, main);
  const partOf = (wanted: string) => [...related.values()].find(({ type }) => type === wanted)?.target;
  const workbook = parseXml(bytes);
  const values = {
    strings: sharedStrings(archive, partOf('sharedStrings')),
    dates: dateStyles(archive, partOf('styles')),
    from1904: /^(?:1|true)$/.test(first(workbook, 'workbookPr')?.attributes['date1904'] ?? ''),
  };
  const document = makeDocument(max_chars);
  let rows_before = 0;
  for (const { attributes } of all(first(workbook, 'sheets') ?? workbook, 'sheet')) {
    const target = related.get(attributes['r:id'] ?? '')?.target;
    const sheet = target && archive.read(target);
    const name = attributes['name'] ?? 'Sheet';
    // A sheet of charts has no rows.
    if (!sheet || (document.full() && tabular.layout !== 'records' && !tabular.all_rows)) continue;
    document.heading(1, name);
    const writer = makeRowWriter(document, tabular, { name, max_chars, rows_before });
    readSheet(sheet, values, writer.row);
    rows_before += writer.end();
  }
  return document.end();
}
