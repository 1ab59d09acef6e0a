import type { DocumentWriter } from '../document-writer.ts';
import type { Line } from './reading-order.ts';

const bullet = /^[•‣◦▪●○■–*-]\s+/;
/** The bullet or number of a list item, whose further lines are indented. */
const numbered = /^(?:[•‣◦▪●○■–*-]|\[?\(?[\da-z]{1,3}[.)\]])\s/i;
const longestHeading = 200;

const textOf = (line: Line) => line.map(({ text }) => text).join(' ');
const sizeOf = (line: Line) => Math.max(...line.map(({ size }) => size));

/** Scripts without spaces between words: their lines are joined without a space. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/** A word that was parted at the end of a line is one again; a hyphen before a capital or a digit stays. */
function joined(before: string, after: string): string {
  if (/\p{Ll}[-\u00ad\u2010]$/u.test(before) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after;
  return unspaced.test(before.at(-1) ?? '') && unspaced.test(after[0] ?? '') ? before + after : `${before} ${after}`;
}

/** The size that most letters have, and the larger ones in descending order: those are headings. */
export function sizesOf(pages: readonly Line[][]): { body: number; headings: number[] } {
  const letters = new Map<number, number>();
  for (const run of pages.flat(2)) {
    const size = Math.round(run.size * 2) / 2;
    letters.set(size, (letters.get(size) ?? 0) + run.text.length);
  }
  const body = [...letters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
  const headings = [...letters.keys()].filter((size) => size > body * 1.15).sort((a, b) => b - a);
  return { body, headings };
}

/** How many lines from here on are the rows of one table: as many cells in each, at least two. */
function rowsFrom(lines: readonly Line[], at: number): number {
  const cells = lines[at]?.length ?? 0;
  let end = at;
  while (cells > 1 && lines[end]?.length === cells) end++;
  return end - at;
}

const follows = (line: Line, before: Line) => {
  const [[run], [last]] = [line, before];
  if (!run || !last) return false;
  const drop = last.y - run.y;
  return drop > 0 && drop < last.size * 1.7 && Math.abs(sizeOf(line) - sizeOf(before)) < last.size * 0.1;
};

/** The indentation of a line, from the right in right-to-left text. */
const inset = ([first]: Line) => (first?.rtl ? -first.x2 : (first?.x ?? 0));

/** Writes the lines of a page as headings, tables, points and paragraphs. */
export function writePage(document: DocumentWriter, lines: readonly Line[], sizes: ReturnType<typeof sizesOf>): void {
  const levelOf = (line: Line) => {
    const at = sizes.headings.indexOf(Math.round(sizeOf(line) * 2) / 2);
    return at < 0 || line.length > 1 || textOf(line).length > longestHeading ? 0 : Math.min(at + 1, 6);
  };
  let at = 0;
  for (let line = lines[at]; line && !document.full(); line = lines[at]) {
    const rows = rowsFrom(lines, at);
    if (rows > 1) {
      document.table(lines.slice(at, at + rows).map((row) => row.map(({ text }) => text)));
      at += rows;
      continue;
    }
    const level = levelOf(line);
    let text = textOf(line);
    let next = at + 1;
    for (; next < lines.length; next++) {
      const [candidate, before] = [lines[next], lines[next - 1]];
      if (!candidate || !before) break;
      if (rowsFrom(lines, next) > 1 || levelOf(candidate) !== level || !follows(candidate, before)) break;
      // A line that stands further in begins a paragraph, but goes on with a point.
      const indented = inset(candidate) - inset(before) > sizeOf(line) * 0.8;
      if (bullet.test(textOf(candidate)) || (indented && !(next === at + 1 && numbered.test(text)))) break;
      text = joined(text, textOf(candidate));
    }
    if (level) document.heading(level, text);
    else if (bullet.test(text)) document.add('list_item', text.replace(bullet, ''), { mark: '- ', gap: 1 });
    else document.add('paragraph', text);
    at = next;
  }
}
