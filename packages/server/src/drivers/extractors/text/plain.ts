import { makeDocument } from '../document-writer.ts';
import type { Block, Extracted, ExtractOptions, Extractor } from '../driver.ts';
import { cutWarning, fitted } from './fitted.ts';
import { bytesFor, readText } from './read-text.ts';

type Span = Pick<Block, 'kind' | 'start' | 'end'> & { level?: number };

/** Paragraphs: lines with a blank one before and after. */
export function* paragraphs(text: string): Generator<Span> {
  const gap = /\n[ \t]*\n\s*/g;
  let start = /^\s*/.exec(text)?.[0].length ?? 0;
  for (const found of text.matchAll(gap)) {
    if (found.index > start) yield { kind: 'paragraph', start, end: found.index };
    start = Math.max(start, found.index + found[0].length);
  }
  const end = text.trimEnd().length;
  if (end > start) yield { kind: 'paragraph', start, end };
}

/** Lines stay lines where they mean something. */
const folded = (text: string, kind: Block['kind']) =>
  kind === 'paragraph' || kind === 'heading'
    ? text.replaceAll(/\s+/g, ' ').trim()
    : text.replaceAll(/[^\S\n]+/g, ' ').trim();

/** A text that stands as it was written, and the blocks that were found in it. */
export function asWritten(text: string, spans: Iterable<Span>, headingOf: (line: string) => string): Extracted {
  const blocks: Block[] = [];
  const path: { level: number; text: string }[] = [];
  for (const { kind, start, end, level } of spans) {
    if (start === end) continue;
    if (kind === 'heading') while ((path.at(-1)?.level ?? 0) >= (level ?? 1)) path.pop();
    const headings = path.map((above) => above.text);
    blocks.push({ kind, start, end, headings, level: level ?? null, page: null, table: null });
    if (kind === 'heading') path.push({ level: level ?? 1, text: headingOf(text.slice(start, end)) });
  }
  const title = blocks.find(({ level }) => level === 1);
  return {
    ...{ text, warnings: [], language: null, pages: null, blocks, tables: [], images: [] },
    title: title ? headingOf(text.slice(title.start, title.end)) : null,
  };
}

/** Reads text in which blocks are found by looking at it. */
export const textReader =
  (spansOf: (text: string) => Iterable<Span>, headingOf = (line: string) => line): Extractor['extract'] =>
  async (content, { max_chars, signal, text: choices }: ExtractOptions) => {
    const { text, cut } = await readText(content, { max_bytes: bytesFor(max_chars), signal });
    if (choices?.preserve_formatting === false) {
      const document = makeDocument(max_chars);
      for (const { kind, start, end, level } of spansOf(text))
        document.add(kind, folded(text.slice(start, end), kind), level ? { level } : {});
      if (cut) document.cut();
      return document.end();
    }
    const shown = fitted(text, max_chars);
    const result = asWritten(shown, spansOf(shown), headingOf);
    return cut || shown !== text ? { ...result, warnings: [cutWarning(max_chars)] } : result;
  };

/** Text that is read as it is written: prose, programs, logs. */
export const plainExtractor: Extractor = {
  types: ['text/*', 'application/yaml', 'application/x-subrip', 'image/svg+xml'],
  extract: textReader(paragraphs),
};
