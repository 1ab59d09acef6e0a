import type { Block, Extracted } from '../../../drivers/extractors/driver.ts';

export interface PageRange {
  page: number;
  start: number;
  end: number;
}

/** A part of the text of a document, with the blocks that begin in it. */
export interface TextSegment {
  start: number;
  end: number;
  content: string;
  blocks: Omit<Block, 'table'>[];
  pages: PageRange[];
}

/** Segments are at least so long, in characters, unless the text ends before. */
const segmentLength = 100_000;

function pagesOf(blocks: TextSegment['blocks']): PageRange[] {
  const pages: PageRange[] = [];
  for (const { page, start, end } of blocks) {
    const last = pages.at(-1);
    if (page === null) continue;
    if (last?.page === page) last.end = end;
    else pages.push({ page, start, end });
  }
  return pages;
}

/** Cuts the text of a document into segments, each from the beginning of a block to that of another. */
export function segmentsOf({ text, blocks }: Pick<Extracted, 'text' | 'blocks'>): TextSegment[] {
  if (text === '') return [];
  const whole = { kind: 'paragraph' as const, start: 0, end: text.length, headings: [], level: null, page: null };
  const all = (blocks.length ? blocks : [whole]).map(({ kind, start, end, headings, level, page }) => ({
    ...{ kind, start, end, headings, level, page },
  }));
  const groups: TextSegment['blocks'][] = [];
  for (const block of all.toSorted((a, b) => a.start - b.start)) {
    const open = groups.at(-1);
    if (open?.[0] && block.start - open[0].start < segmentLength) open.push(block);
    else groups.push([block]);
  }
  return groups.map((group, at) => {
    const start = at === 0 ? 0 : (group[0]?.start ?? 0);
    const end = groups[at + 1]?.[0]?.start ?? text.length;
    return { start, end, content: text.slice(start, end), blocks: group, pages: pagesOf(group) };
  });
}
