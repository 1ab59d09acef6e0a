import type { Block, Extractor } from '../driver.ts';
import { textReader } from './plain.ts';

type Kind = Exclude<Block['kind'], 'image' | 'row'>;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const item = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const row = /^\s*\|/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;

const kindOf = (line: string): Kind =>
  heading.test(line) ? 'heading' : row.test(line) ? 'table' : item.test(line) ? 'list_item' : 'paragraph';

/** Blocks of Markdown by the beginnings of their lines. Each line is looked at once. */
function* blocksOf(text: string): Generator<{ kind: Kind; start: number; end: number; level?: number }> {
  let open: { kind: Kind; start: number; end: number; level?: number } | undefined;
  let fenced = '';
  let at = 0;
  for (const line of text.split('\n')) {
    const [start, end] = [at, at + line.length];
    at = end + 1;
    const marks = fence.exec(line)?.[1];
    if (fenced) {
      if (open) open.end = end;
      if (marks?.startsWith(fenced) && line.trim() === marks) fenced = '';
      continue;
    }
    if (line.trim() === '') {
      if (open) yield open;
      open = undefined;
      continue;
    }
    const kind = marks ? 'code' : kindOf(line);
    const rule = underline.exec(line)?.[1];
    if (rule && open?.kind === 'paragraph') {
      // A paragraph that is underlined was a heading.
      yield { ...open, kind: 'heading', end, level: rule.startsWith('=') ? 1 : 2 };
      open = undefined;
      continue;
    }
    // A line that begins nothing goes on with the paragraph or item before it.
    const goesOn = open && (kind === open.kind ? kind !== 'heading' && kind !== 'list_item' : kind === 'paragraph');
    if (open && goesOn && !marks && open.kind !== 'heading' && open.kind !== 'code') {
      open.end = end;
      continue;
    }
    if (open) yield open;
    const level = heading.exec(line)?.[1]?.length;
    open = level ? { kind, start, end, level } : { kind, start, end };
    if (marks) fenced = marks;
  }
  if (open) yield open;
}

/** The words of a heading, without the marks before and after them. */
function headingText(written: string): string {
  const line = (written.split('\n')[0] as string).trim();
  let [start, end] = [0, line.length];
  while (line[start] === '#') start++;
  while (end > start && line[end - 1] === '#') end--;
  return line.slice(start, end).trim();
}

export const markdownExtractor: Extractor = {
  types: ['text/markdown', 'text/x-markdown'],
  extract: textReader(blocksOf, headingText),
};
