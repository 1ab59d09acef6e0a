import { type FileOutline, isCut, type TableOutline } from '../../drivers/extractors/driver.ts';
import type { FileText } from '../files/ports.ts';

const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');
/** Says how many are left out, where some are. */
const rest = (all: number, shown: number, what: string) => (all > shown ? [`- … and ${all - shown} more ${what}`] : []);
const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
/** A cell in a line of cells. */
const cell = (text: string) => text.replaceAll('|', '\\|');

function tableLines({ name, rows, columns, column_count, first_rows }: TableOutline, from: string): string[] {
  const title = name === null ? 'Table' : `Sheet ${JSON.stringify(name)}`;
  const about = columns.map(
    ({ name: column, type, examples }) =>
      `${column}: ${type}${examples.length ? `, such as ${examples.join(' | ')}` : ''}`,
  );
  const shown = first_rows.map((row) => `| ${row.map(cell).join(' | ')} |`);
  return [
    `${title}: ${from}${count(rows, 'row')}, ${count(column_count, 'column')}:`,
    [list(about), ...rest(column_count, columns.length, 'columns')].join('\n'),
    ...(shown.length ? [`The first ${count(shown.length, 'row')}:\n${shown.join('\n')}`] : []),
  ];
}

function outlineLines(outline: FileOutline, from: string): string[] {
  const { kind, tables, table_count, headings, heading_count, keys, key_count, entries, pages } = outline;
  if (kind === 'table')
    return [...tables.flatMap((table) => tableLines(table, from)), ...rest(table_count, tables.length, 'tables')];
  if (kind === 'json') {
    const of =
      entries === null
        ? 'An object'
        : `A list of ${from}${count(entries, 'entry', 'entries')}; the first one is an object`;
    if (key_count === 0)
      return [entries === null ? 'JSON without keys.' : `A list of ${from}${count(entries, 'entry', 'entries')}.`];
    const about = keys.map(({ name, holds }) => `${name}: ${holds}`);
    return [
      `${of} with ${count(key_count, 'key')}:`,
      [list(about), ...rest(key_count, keys.length, 'keys')].join('\n'),
    ];
  }
  if (kind === 'text')
    return [`${from}${count(outline.line_count, 'line')}. The first ones:`, outline.first_lines.join('\n')];
  const told = headings.map(
    ({ level, text, page }) => `${'  '.repeat(level - 1)}${text}${page ? ` (page ${page})` : ''}`,
  );
  const size = [...(pages ? [count(pages, 'page')] : []), ...(table_count ? [count(table_count, 'table')] : [])];
  return [
    ...(size.length ? [`It has ${size.join(' and ')}.`] : []),
    ...(told.length ? [`Headings:\n${[list(told), ...rest(heading_count, told.length, 'headings')].join('\n')}`] : []),
    ...(outline.first_paragraph ? [`It begins: ${outline.first_paragraph}`] : []),
  ];
}

/** What a model is shown of a long file: how it is built, and how to read it. */
export function summarizeFile(title: string, read: FileText, size: number, how: readonly string[]): string {
  const { text, outline, warnings } = read;
  const length = `${size} bytes, ${isCut(read) ? 'over ' : ''}${text.length} characters of text`;
  return [
    `${title}:`,
    `[This is a summary, since the file is long: ${length}. To answer from its contents, read it: ${how.join('; ')}.]`,
    ...outlineLines(outline, isCut(read) ? 'at least ' : ''),
    ...warnings.map((warning) => `[${warning}]`),
  ].join('\n\n');
}
