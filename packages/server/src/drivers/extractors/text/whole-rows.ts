import { fitted } from './fitted.ts';

/** Where the last row ends that fits, and how many there are. A line end between quotes is part of its cell. */
function lastRow(text: string, max_chars: number, quoted: boolean): { end: number; rows: number } {
  let [end, rows, inside] = [0, 0, false];
  for (let at = 0; at < Math.min(text.length, max_chars); at++) {
    const character = text[at];
    if (character === '"' && quoted) inside = !inside;
    else if (character === '\n' && !inside) [end, rows] = [at, rows + 1];
  }
  return { end, rows };
}

/** The rows that fit, cut between two: half a row reads like a whole one with wrong values. */
export function wholeRows(text: string, max_chars: number, quoted: boolean): { text: string; warning: string } {
  const { end, rows } = lastRow(text, max_chars, quoted);
  // One endless row, or a quote that is never closed.
  if (rows === 0) return { text: fitted(text, max_chars), warning: 'Only the beginning is shown.' };
  const lines = rows === 1 ? 'first line is' : `first ${rows} lines are`;
  return { text: text.slice(0, end), warning: `Only the ${lines} shown; the rest was left out.` };
}
