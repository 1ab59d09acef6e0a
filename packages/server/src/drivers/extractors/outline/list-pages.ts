import type { Block, Extracted, Table } from '../driver.ts';
import { binaryTypes, typeOf } from '../file-types.ts';

/** A sheet, a slide, or a document without pages, as far as a preview shows it. */
export interface FilePage {
  /** The name of a sheet. */
  name: string | null;
  /** Of a slide or page, counted from 1. */
  number: number | null;
  blocks: PageBlock[];
}

export interface PageBlock {
  kind: 'heading' | 'paragraph' | 'list_item' | 'code' | 'table';
  /** Of a heading: 1 to 6. */
  level: number | null;
  text: string;
  /** The rows of a table, the first ones of a long one; `row_count` says how many there are. */
  rows: string[][];
  row_count: number;
}

const previewed: ReadonlySet<string> = new Set([
  ...[...binaryTypes.docx, ...binaryTypes.pptx, ...binaryTypes.xlsx, ...binaryTypes.eml],
]);
const mostRows = 200;
const mostColumns = 50;
const mostCell = 500;
/** Of all pages together. */
const mostChars = 200_000;

/** Whether there are pages to show of such a file. */
export const hasPages = (file: Parameters<typeof typeOf>[0]) => previewed.has(typeOf(file));

function tableBlock({ rows }: Table): PageBlock {
  const shown = rows
    .slice(0, mostRows)
    .map((row) => row.slice(0, mostColumns).map((cell) => cell.slice(0, mostCell).toWellFormed()));
  return { kind: 'table', level: null, text: '', rows: shown, row_count: rows.length };
}

function textBlock(text: string, { kind, level, start, end }: Block): PageBlock {
  const said = text.slice(start, end).replace(/^(?:#+ |\s*- )/, '');
  const known = kind === 'heading' || kind === 'list_item' || kind === 'code' ? kind : 'paragraph';
  return { kind: known, level, text: said, rows: [], row_count: 0 };
}

const charsOf = ({ text, rows }: PageBlock) =>
  text.length + rows.reduce((sum, row) => row.reduce((chars, cell) => chars + cell.length, sum), 0);

/** The sheets of a workbook as tables, the text of other Office files and mails by pages, and whether that is all of it. */
export function listPages(
  read: Extracted,
  file: Parameters<typeof typeOf>[0],
): { pages: FilePage[]; complete: boolean } {
  const type = typeOf(file);
  if (!previewed.has(type)) return { pages: [], complete: true };
  if (type === binaryTypes.xlsx[0]) {
    const pages = read.tables.map((table) => ({ name: table.name, number: null, blocks: [tableBlock(table)] }));
    return withinRoom(pages);
  }
  const pages: FilePage[] = [];
  for (const block of read.blocks) {
    const table = block.kind === 'table' && block.table !== null ? read.tables[block.table] : undefined;
    let page = pages.at(-1);
    if (!page || page.number !== block.page) {
      page = { name: null, number: block.page, blocks: [] };
      pages.push(page);
    }
    page.blocks.push(table ? tableBlock(table) : textBlock(read.text, block));
  }
  return withinRoom(pages);
}

function withinRoom(pages: FilePage[]): { pages: FilePage[]; complete: boolean } {
  let room = mostChars;
  const shown: FilePage[] = [];
  for (const page of pages) {
    const blocks: PageBlock[] = [];
    for (const block of page.blocks) {
      room -= charsOf(block);
      if (room < 0) return { pages: blocks.length ? [...shown, { ...page, blocks }] : shown, complete: false };
      blocks.push(block);
    }
    shown.push({ ...page, blocks });
  }
  return { pages: shown, complete: true };
}
