import type { Block, Extracted } from '../../drivers/extractors/driver.ts';
import { required } from '../../lib/required.ts';

/** A passage and where it stands. */
export interface Piece {
  /** Exactly that part of the text; of a table that goes on, the header of the table before it. */
  content: string;
  start: number;
  end: number;
  /** Where it begins, and where it ends. */
  page: number | null;
  end_page: number | null;
  headings: string[];
}

export interface ChunkRule {
  size: number;
  overlap: number;
  /** One passage for each row of a table. */
  rows?: boolean;
  /** Every passage of a table begins with the first line of the table. */
  table_headers?: boolean;
  /** The whole text is one passage. */
  whole?: boolean;
}

/** Places where a text may be cut, the best first; each finds the end of what stays before the cut. */
const borders = [/\n[ \t]*\n/g, /\n/g, /[.!?…。！？]["'”’»)\]]*(?=\s|$)|[。！？]/g, /\s+/g];

/** The last place in a stretch where a border ends; undefined when there is none behind `from`. */
function lastBorder(text: string, border: RegExp, from: number, to: number): number | undefined {
  let last: number | undefined;
  border.lastIndex = from;
  for (let found = border.exec(text); found && found.index < to; found = border.exec(text)) {
    const end = found.index + found[0].length;
    if (end <= to) last = end;
    if (found[0].length === 0) border.lastIndex++;
  }
  return last;
}

const isHighHalf = (text: string, at: number) => {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff;
};

/** Where to cut so that no more than `size` stand before: at the best border behind `least`, never in a character. */
function cutAt(text: string, start: number, size: number, least: number): number {
  const end = start + size;
  if (end >= text.length) return text.length;
  const window = text.slice(start, end);
  for (const border of borders) {
    const at = lastBorder(window, new RegExp(border), least, window.length);
    if (at !== undefined) return start + at;
  }
  return isHighHalf(text, end) ? end - 1 : end;
}

/** Where the next passage begins: so far back as they overlap, at the start of a sentence or word. */
function nextStart(text: string, cut: number, overlap: number, after: number): number {
  const from = Math.max(after, cut - overlap);
  if (overlap === 0 || from >= cut) return cut;
  const window = text.slice(from, cut);
  for (const border of [/[.!?…。！？]["'”’»)\]]*\s+|\n/g, /\s+/g]) {
    const found = border.exec(window);
    if (found && found.index + found[0].length < window.length) return from + found.index + found[0].length;
  }
  return isHighHalf(text, from + 1) || !isHighHalf(text, from) ? from : from + 1;
}

/** Something that is not to be torn: a passage with half of a private value in it can't be anonymized. */
export interface Whole {
  start: number;
  end: number;
}

/** What a place lies inside of; `values` are in the order of the text and do not overlap. */
function valueAround(values: readonly Whole[], at: number): Whole | undefined {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (required(values[middle]).end > at) high = middle;
    else low = middle + 1;
  }
  const value = values[low];
  return value && value.start < at ? value : undefined;
}

/** The block that a place is in or before; blocks are in the order of the text. */
function blockAt(blocks: readonly Block[], at: number): Block | undefined {
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (required(blocks[middle]).end > at) high = middle;
    else low = middle + 1;
  }
  return blocks[low];
}

function pieceOf({ text, blocks }: Pick<Extracted, 'text' | 'blocks'>, from: number, to: number): Piece | undefined {
  const raw = text.slice(from, to);
  const content = raw.trim();
  if (content === '') return undefined;
  const start = from + raw.indexOf(required(content[0]));
  const block = blockAt(blocks, start);
  const own = block?.kind === 'heading' ? text.slice(block.start, block.end).replace(/^#+\s*/, '') : undefined;
  return {
    content,
    start,
    end: start + content.length,
    page: block?.page ?? null,
    end_page: blockAt(blocks, start + content.length - 1)?.page ?? null,
    headings: [...(block?.headings ?? []), ...(own === undefined ? [] : [own])],
  };
}

/** The first line of the table that a place is in, to be repeated there; empty where it is not repeated. */
function headerAt({ text, blocks }: Pick<Extracted, 'text' | 'blocks'>, at: number, size: number): string {
  const block = blockAt(blocks, at);
  if (block?.kind !== 'table') return '';
  const lineEnd = text.indexOf('\n', block.start);
  if (lineEnd < 0 || at <= lineEnd || at >= block.end) return '';
  const line = text.slice(block.start, lineEnd);
  // The rows need room too: of a header that is longer, the first columns are repeated.
  const most = Math.floor(size / 2) - 1;
  const end = line.length <= most ? line.length : Math.max(line.lastIndexOf('\t', most), 0) || most;
  return `${line.slice(0, end)}\n`;
}

/**
 * Cuts a text at paragraphs, sentences or words into passages that overlap. Sizes are in characters; only one of the
 * `values`, which are never cut, can make a passage longer.
 */
export function chunk(
  extracted: Pick<Extracted, 'text' | 'blocks'>,
  rule: ChunkRule,
  values: readonly Whole[] = [],
): Piece[] {
  const { text, blocks } = extracted;
  const pieces: Piece[] = [];
  const headerOf = (at: number) => (rule.table_headers ? headerAt(extracted, at, rule.size) : '');
  const take = (from: number, to: number) => {
    const piece = pieceOf(extracted, from, to);
    if (piece) pieces.push({ ...piece, content: headerOf(piece.start) + piece.content });
  };
  if (rule.whole) {
    take(0, text.length);
    return pieces;
  }
  const stretch = (from: number, to: number) => {
    const part = text.slice(0, to);
    for (let start = from; start < to; ) {
      const room = rule.size - headerOf(start).length;
      // Of each something has to be new, or there would be no end to how many passages a text may have.
      const overlap = Math.min(rule.overlap, Math.floor(room * 0.9));
      const half = Math.floor(room / 2);
      const wanted = cutAt(part, start, room, overlap <= half ? half : Math.floor((overlap + room) / 2));
      const torn = valueAround(values, wanted);
      const cut = torn ? Math.min(to, torn.start > start ? torn.start : torn.end) : wanted;
      take(start, cut);
      if (cut >= to) break;
      const next = Math.max(start + 1, nextStart(part, cut, overlap, start + 1));
      const around = valueAround(values, next);
      start = around ? (around.start > start ? around.start : Math.min(around.end, cut)) : next;
    }
  };
  const rows = rule.rows ? blocks.filter(({ kind }) => kind === 'row') : [];
  if (rows.length === 0) {
    stretch(0, text.length);
    return pieces;
  }
  // The heading of rows, such as the name of their sheet, stands with each of them and is no passage of its own.
  const isHeading = (from: number, to: number) =>
    text
      .slice(from, to)
      .split('\n')
      .every((line) => line.trim() === '' || /^#{1,6} \S/.test(line));
  let at = 0;
  for (const row of rows) {
    if (row.start > at && !isHeading(at, row.start)) stretch(at, row.start);
    stretch(row.start, row.end);
    at = row.end;
  }
  if (!isHeading(at, text.length)) stretch(at, text.length);
  return pieces;
}
