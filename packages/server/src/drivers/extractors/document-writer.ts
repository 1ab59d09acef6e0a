import type { Block, Extracted, Image, Table } from './driver.ts';
import { cutWarning, fitted } from './text/fitted.ts';
import { clean } from './text/read-text.ts';

interface BlockOptions {
  /** Line ends before it. */
  gap?: number;
  level?: number;
  table?: number;
  /** Marks before the text that are not part of it, such as the # of a heading. */
  mark?: string;
}

const folded = (cell: string) => clean(cell).replaceAll(/\s+/g, ' ').trim();

const asMarkdown = (row: readonly string[], width: number) =>
  `| ${Array.from({ length: width }, (_, index) => folded(row[index] ?? '').replaceAll('|', '\\|')).join(' | ')} |`;

/** A row of plain text; line ends and tabs in its cells would make other rows and cells. */
export const joinCellsByTab = (row: readonly string[]) => row.map(folded).join('\t');

/**
 * Assembles a text from its blocks and records the position of each. Drops text beyond `max_chars`: an extractor checks
 * `full` and stops.
 */
export function makeDocument(max_chars: number) {
  const pieces: string[] = [];
  const blocks: Block[] = [];
  const tables: Table[] = [];
  const images: Image[] = [];
  const warnings = new Set<string>();
  const path: { level: number; text: string }[] = [];
  let [length, full] = [0, false];
  let page: number | null = null;
  let title: string | null = null;

  function put(text: string): void {
    const piece = fitted(text, max_chars - length);
    if (piece.length < text.length) full = true;
    pieces.push(piece);
    length += piece.length;
  }

  function add(kind: Block['kind'], said: string, { gap = 2, mark = '', level, table }: BlockOptions = {}): void {
    const text = clean(said);
    if (full || text.trim() === '') return;
    if (length > 0) put('\n'.repeat(gap));
    const start = length;
    put(mark + text);
    if (length === start) return;
    if (kind === 'heading') while ((path.at(-1)?.level ?? 0) >= (level ?? 1)) path.pop();
    const headings = path.map((above) => above.text);
    blocks.push({ kind, start, end: length, headings, level: level ?? null, page, table: table ?? null });
    if (kind === 'heading') path.push({ level: level ?? 1, text });
  }

  return {
    add,
    length: () => length,
    full: () => full,
    page: () => page,
    heading(level: number, text: string, marked = true) {
      const line = folded(text);
      add('heading', line, { level, mark: marked ? `${'#'.repeat(level)} ` : '' });
    },
    /** What follows stands on this page, under no heading of the one before when `apart`. */
    turnTo(next: number, apart = false) {
      page = next;
      if (apart) path.length = 0;
    },
    title(text: string) {
      title ??= folded(text).slice(0, 500) || null;
    },
    /** `all`: the table itself, where the text has only a part of it. */
    table(rows: string[][], { markdown = true, gap = 2, all }: { markdown?: boolean; gap?: number; all?: Table } = {}) {
      if (full || rows.length === 0) return;
      const width = Math.max(...rows.map((row) => row.length));
      const lines: string[] = [];
      let room = max_chars - length - gap;
      for (const [index, row] of rows.entries()) {
        const line = markdown ? asMarkdown(row, width) : joinCellsByTab(row);
        lines.push(line);
        if (markdown && index === 0) lines.push(`|${' --- |'.repeat(width)}`);
        room -= line.length + 1;
        if (room < 0) break;
      }
      add('table', lines.join('\n'), { table: tables.length, gap });
      const table = all ?? { name: null, rows };
      tables.push({ ...table, page, rows: table.rows.map((row) => row.map(clean)) });
    },
    /** Rows whose text is written apart from them, or not at all. */
    rows(table: Table): number {
      return tables.push(Object.assign(table, { page })) - 1;
    },
    image(image: Omit<Image, 'page' | 'at'>) {
      images.push({ ...image, name: clean(image.name), alt: clean(image.alt), page, at: length });
    },
    /** Appends the extracted text of an embedded file, such as an attachment. */
    include(other: Extracted) {
      if (full || other.text === '') return;
      if (length > 0) put('\n\n');
      const from = length;
      const above = path.map(({ text }) => text);
      const first = tables.length;
      put(other.text);
      for (const block of other.blocks)
        if (from + block.start < length)
          blocks.push({
            ...block,
            start: from + block.start,
            end: Math.min(length, from + block.end),
            headings: [...above, ...block.headings],
            table: block.table === null ? null : first + block.table,
          });
      tables.push(...other.tables);
      images.push(...other.images.map((image) => ({ ...image, at: Math.min(length, from + image.at) })));
    },
    /** Said once, however often it happens. */
    warn: (warning: string) => void warnings.add(warning),
    /** There was more than could be read, and the text is not what was too long. */
    cut() {
      full = true;
    },
    end(pages: number | null = null): Extracted {
      const cut = full ? [cutWarning(max_chars)] : [];
      const text = pieces.join('');
      return { text, warnings: [...cut, ...warnings], title, language: null, pages, blocks, tables, images };
    },
  };
}

export type DocumentWriter = ReturnType<typeof makeDocument>;
