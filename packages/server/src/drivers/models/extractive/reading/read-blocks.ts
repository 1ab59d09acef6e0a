import { splitSentences } from '../../../../lib/text/split-sentences.ts';

/** A part of a document that is quoted by its own rules. Texts are without the marks of Markdown. */
export type TextBlock =
  | { kind: 'heading'; text: string; level: number }
  | { kind: 'paragraph'; sentences: string[] }
  /** Items keep their numbers. `intro` is the sentence with a colon before them. */
  | { kind: 'list'; intro: string | undefined; items: string[]; ordered: boolean }
  | { kind: 'rows'; columns: string[] | undefined; rows: string[][] }
  /** Commands and examples between fences. */
  | { kind: 'code'; lines: string[] };

const heading = /^(#{1,6})\s+(.+)$/;
const boldLine = /^(?:\*\*|__)(?!\s)([^*_]{2,160})(?:\*\*|__):?$/;
const bullet = /^[-*+•–▪◦]\s+(.+)$/;
const numbered = /^(?:\d{1,3}|[a-z])[.)]\s+.+$/;
const fact = /^[\p{L}\p{N}][^:|\t]{0,40}:\s+\S.{0,200}$/u;
const fence = /^(?:```|~~~)[\w-]*$/;
const separator = /^\|?[\s:|-]{3,}$/;

const clean = (text: string) =>
  text
    .toWellFormed()
    .replace(/^\s*>\s?/, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const cellsOf = (line: string) =>
  (line.startsWith('|') ? line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/) : line.split('\t')).map((cell) =>
    clean(cell.replaceAll('\\|', '|')),
  );

/** A short line without a full stop, alone above a text, is a heading of plain texts and PDFs. */
function isPlainHeading(line: string, before: string | undefined, after: string | undefined): boolean {
  if (before !== undefined && before.trim() !== '') return false;
  if (after === undefined || line.length > 70 || /[.,;:!?…]$/.test(line) || /:\s/.test(line)) return false;
  return /^[\p{Lu}\p{N}¿¡]/u.test(line) && line.split(/\s+/).length <= 9;
}

/** "2. Electric vans" above a paragraph is a heading of minutes; above another number it is a step. */
function isNumberedHeading(line: string, before: string | undefined, after: string | undefined): boolean {
  if ((before ?? '').trim() !== '' || line.length > 70 || /[.,;:!?…]$/.test(line)) return false;
  const next = (after ?? '').trim();
  return /^\p{Lu}/u.test(next) && !numbered.test(next) && !bullet.test(next) && /[.!?]/.test(next);
}

type LineKind = 'blank' | 'heading' | 'row' | 'bullet' | 'numbered' | 'fact' | 'text';

function kindOf(line: string, lines: readonly string[], at: number): LineKind {
  if (line === '') return 'blank';
  if (heading.test(line) || boldLine.test(line)) return 'heading';
  if (/^\|.*\|/.test(line) || (line.includes('\t') && /\S\t/.test(line))) return 'row';
  if (bullet.test(line)) return 'bullet';
  if (numbered.test(line)) return isNumberedHeading(line, lines[at - 1], lines[at + 1]) ? 'heading' : 'numbered';
  if (
    isPlainHeading(
      line,
      lines[at - 1],
      lines.slice(at + 1, at + 3).find((next) => next.trim() !== ''),
    )
  )
    return 'heading';
  if (fact.test(line) && !/[.!?]\s+\p{Lu}/u.test(line)) return 'fact';
  return 'text';
}

/** Steps that stand in one line, as in texts of PDFs, get lines of their own: "1. Open it 2. Close it". */
function breakSteps(line: string): string[] {
  if (!/(?:^|\s)1[.)]\s+\S/.test(line) || !/\s2[.)]\s+\S/.test(line)) return [line];
  let next = 1;
  return line
    .replace(/(^|\s)(\d{1,2})([.)])\s+(?=\S)/g, (found: string, _space: string, number: string, mark: string) =>
      Number(number) === next && ++next ? `\n${number}${mark} ` : found,
    )
    .split('\n')
    .filter(Boolean);
}

/** Reads headings, paragraphs, lists and tables of a text: Markdown, plain text, or rows with tabs. */
export function readBlocks(text: string): TextBlock[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line) => breakSteps(line.replace(/^[ \t]*>\s?/, '')));
  const blocks: TextBlock[] = [];
  let paragraph: string[] = [];
  let items: string[] = [];
  let listKind: LineKind = 'blank';
  let rows: string[][] = [];
  let separated = false;
  let code: string[] | undefined;
  let blanks = 0;

  function endParagraph(): void {
    const sentences = splitSentences(paragraph.join('\n'));
    if (sentences.length > 0) blocks.push({ kind: 'paragraph', sentences });
    paragraph = [];
  }
  function endList(): void {
    if (items.length === 0) return;
    const last = blocks.at(-1);
    let intro: string | undefined;
    if (last?.kind === 'paragraph' && last.sentences.at(-1)?.endsWith(':')) {
      intro = last.sentences.pop();
      if (last.sentences.length === 0) blocks.pop();
    }
    blocks.push({ kind: 'list', intro, items, ordered: listKind === 'numbered' });
    items = [];
  }
  function endRows(): void {
    if (rows.length === 0) return;
    const [first = [], ...others] = rows;
    // The rest of a table that was cut into passages has no header.
    blocks.push(
      others.length > 0 && separated
        ? { kind: 'rows', columns: first, rows: others }
        : { kind: 'rows', columns: undefined, rows },
    );
    rows = [];
  }
  const endAll = () => {
    endParagraph();
    endList();
    endRows();
  };

  for (const [at, raw] of lines.entries()) {
    const line = raw.trim();
    if (fence.test(line)) {
      endAll();
      if (code && code.length > 0) blocks.push({ kind: 'code', lines: code });
      code = code ? undefined : [];
      blanks = 0;
      continue;
    }
    if (code) {
      if (line !== '') code.push(raw.trimEnd().toWellFormed());
      continue;
    }
    const kind = kindOf(line, lines, at);
    if (kind === 'blank') {
      blanks++;
      endParagraph();
      continue;
    }
    if (kind === 'heading') {
      endAll();
      const [, marks = '', title = line] = heading.exec(line) ?? [];
      const said = clean(boldLine.exec(title)?.[1] ?? title);
      if (/[\p{L}\p{N}]/u.test(said))
        blocks.push({ kind: 'heading', text: said, level: marks.length || (blocks.length === 0 ? 1 : 6) });
    } else if (kind === 'row') {
      if (rows.length === 0) endAll();
      else if (blanks > 0) endRows();
      const cells = cellsOf(kind === 'row' && !line.startsWith('|') ? raw.replace(/^[ ]+|[\r\n]+$/g, '') : line);
      if (rows.length === 0) separated = !line.startsWith('|');
      if (rows.length === 1 && separator.test(line)) separated = true;
      if (!separator.test(line) && cells.some((cell) => /[\p{L}\p{N}]/u.test(cell))) rows.push(cells);
    } else if (kind === 'bullet' || kind === 'numbered' || kind === 'fact') {
      endParagraph();
      endRows();
      if (items.length > 0 && (listKind !== kind || (blanks > 0 && kind === 'fact'))) endList();
      listKind = kind;
      const item = clean(bullet.exec(line)?.[1] ?? line);
      if (/[\p{L}\p{N}]/u.test(item)) items.push(item);
    } else if (items.length > 0 && blanks === 0 && listKind !== 'fact')
      items.push(`${items.pop() ?? ''} ${clean(line)}`);
    else {
      endList();
      endRows();
      paragraph.push(line);
    }
    blanks = 0;
  }
  endAll();
  if (code && code.length > 0) blocks.push({ kind: 'code', lines: code });
  return blocks;
}
