import { Readable } from 'node:stream';
import type { Extracted } from '../driver.ts';
import { binaryTypes, typeOf } from '../file-types.ts';
import { delimiterOf } from '../text/detect-delimiter.ts';
import { type CutBefore, emptyOutline, type FileOutline, makeOneLine, most, type OneLine } from './outline.ts';
import { outlineJson, outlineJsonLines } from './outline-json.ts';
import { makeTableOutline } from './outline-table.ts';

/** In pieces, so that parsing a long text lets other work through. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536);
}

/** Rows in text, read like a program reads them. Undefined where they can't be told apart. */
async function outlineRows(text: string, tabs: boolean, oneLine: OneLine): Promise<FileOutline | undefined> {
  const { parse } = await import('csv-parse');
  const table = makeTableOutline(oneLine, null);
  const parser = parse({
    bom: true,
    delimiter: tabs ? '\t' : delimiterOf(text.slice(0, 65_536)),
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: 1_000_000,
    ...(tabs ? { quote: null } : {}),
  });
  try {
    for await (const row of Readable.from(piecesOf(text)).pipe(parser)) table.row(row as string[]);
  } catch {
    return undefined;
  }
  return { ...emptyOutline(), kind: 'table', tables: [table.end()], table_count: 1 };
}

function outlineSheets({ tables, title }: Extracted, oneLine: OneLine): FileOutline {
  const shown = tables.slice(0, most.tables).map(({ name, rows, first_row_is_data }) => {
    const table = makeTableOutline(oneLine, name, !first_row_is_data);
    for (const row of rows) table.row(row);
    return table.end();
  });
  return { ...emptyOutline(), kind: 'table', title, tables: shown, table_count: tables.length };
}

function outlineDocument({ text, title, pages, blocks, tables }: Extracted, oneLine: OneLine): FileOutline {
  const all = blocks.filter(({ kind }) => kind === 'heading');
  const said = ({ start, end }: { start: number; end: number }, length: number) =>
    oneLine(text.slice(start, Math.min(end, start + length * 4)).replace(/^#+\s+/, ''), length);
  const headings = all
    .slice(0, most.headings)
    .map((block) => ({ level: block.level ?? 1, text: said(block, most.line), page: block.page }));
  const paragraph = blocks.find(({ kind }) => kind === 'paragraph');
  return {
    ...emptyOutline(),
    ...{ kind: 'document', title, pages, headings, heading_count: all.length, table_count: tables.length },
    first_paragraph: paragraph ? said(paragraph, most.paragraph) : '',
  };
}

function outlineText(text: string, oneLine: OneLine): FileOutline {
  const lines = text.split('\n');
  const first_lines = lines.slice(0, most.lines).map((line) => {
    const indent = /^\s{0,40}/.exec(line)?.[0] ?? '';
    return `${indent}${oneLine(line, most.line)}`.trimEnd();
  });
  return { ...emptyOutline(), first_lines, line_count: lines.length };
}

/** The outline of what was read of a file. Asks no model. */
export async function makeOutline(
  read: Extracted,
  file: { content_type: string; filename: string },
  cutBefore: CutBefore,
): Promise<FileOutline> {
  const type = typeOf(file);
  const { text } = read;
  const oneLine = makeOneLine(cutBefore);
  if (type === 'text/csv' || type === 'text/tab-separated-values')
    return (await outlineRows(text, type !== 'text/csv', oneLine)) ?? outlineText(text, oneLine);
  if (type === binaryTypes.xlsx[0]) return outlineSheets(read, oneLine);
  if (type === 'application/json') return outlineJson(text, oneLine) ?? outlineText(text, oneLine);
  if (type === 'application/x-ndjson') return outlineJsonLines(text, oneLine) ?? outlineText(text, oneLine);
  const isDocument = read.pages !== null || read.blocks.some(({ kind }) => kind === 'heading');
  return isDocument ? outlineDocument(read, oneLine) : outlineText(text, oneLine);
}
