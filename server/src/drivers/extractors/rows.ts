import type { Extractor } from './driver.ts';
import { bytesFor, fitted, readText } from './read-text.ts';

/** Where the last row ends that fits, and how many there are. A line end between quotes is part of its cell. */
function wholeRows(text: string, max_chars: number, quoted: boolean): { end: number; rows: number } {
  let [end, rows, inside] = [0, 0, false];
  for (let at = 0; at < Math.min(text.length, max_chars); at++) {
    const character = text[at];
    if (character === '"' && quoted) inside = !inside;
    else if (character === '\n' && !inside) [end, rows] = [at, rows + 1];
  }
  return { end, rows };
}

const rowExtractor = (types: string[], quoted: boolean): Extractor => ({
  types,
  async extract(content, { max_chars, signal }) {
    const { text, cut } = await readText(content, { max_bytes: bytesFor(max_chars), signal });
    if (!cut && text.length <= max_chars) return { text, warnings: [] };
    const { end, rows } = wholeRows(text, max_chars, quoted);
    // One endless row, or a quote that is never closed.
    const shown = rows ? text.slice(0, end) : fitted(text, max_chars);
    const lines = rows === 1 ? 'first line is' : `first ${rows} lines are`;
    return {
      text: shown,
      warnings: [rows ? `Only the ${lines} shown; the rest was left out.` : 'Only the beginning is shown.'],
    };
  },
});

/** Tables as text, cut between rows: half a row reads like a whole one with wrong values. */
export const csvExtractor = rowExtractor(['text/csv'], true);
export const tsvExtractor = rowExtractor(['text/tab-separated-values'], false);
