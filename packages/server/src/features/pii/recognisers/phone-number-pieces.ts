import { required } from '../../../lib/required.ts';

interface Piece {
  start: number;
  end: number;
}

const digitsIn = (text: string) => text.replace(/\D/g, '').length;

/** Trims surrounding signs, and a bracket without a counterpart or around the whole. */
function trimmed(run: string, from: number, to: number): Piece {
  let [start, end] = [from, to];
  for (;;) {
    while (start < end && ' ).-/\r\n'.includes(run.charAt(start))) start++;
    while (start < end && ' (.-/+\r\n'.includes(run.charAt(end - 1))) end--;
    const value = run.slice(start, end);
    const closes = value.indexOf(')');
    if (value.startsWith('(') && (closes < 0 || closes === value.length - 1)) start++;
    // A bracket at the end belongs to the number when it closes one with digits in it.
    else if (value.endsWith(')') && !/\([^()]*\d[^()]*\)$/.test(value)) end--;
    else return { start, end };
  }
}

/** The parts of a range between separators of one kind. */
function split(run: string, { start, end }: Piece, separator: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let from = start;
  for (const match of run.slice(start, end).matchAll(separator)) {
    pieces.push({ start: from, end: start + match.index });
    from = start + match.index + match[0].length;
  }
  pieces.push({ start: from, end });
  return pieces;
}

/** The line, then the line without numbers that stand before or after. Only a few attempts. */
function* triesOf(run: string, whole: Piece): Generator<Piece> {
  const value = run.slice(whole.start, whole.end);
  const count = digitsIn(value);
  if (count < 7) return;
  if (count <= 17) yield whole;
  const parts = split(run, whole, /\s?\/\s?|\s+/g);
  if (parts.length < 2) return;
  if (count > 17) {
    for (const part of parts) if (part.end - part.start >= 7) yield part;
    return;
  }
  const last = parts.length - 1;
  const at = (index: number) => required(parts[index]);
  for (const [from, to] of [
    [0, last - 1],
    [1, last],
    [0, last - 2],
    [2, last],
    [1, last - 1],
  ] as const)
    if (from <= to) yield { start: at(from).start, end: at(to).end };
}

/** The ranges of a run that may be phone numbers, best first. The caller skips ranges inside of one that it accepts. */
export function* piecesOf(run: string): Generator<Piece> {
  const lines = split(run, { start: 0, end: run.length }, /[ \t]*[\r\n]+[ \t]*| {3,}/g);
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    for (const attempt of triesOf(run, trimmed(run, line.start, line.end))) {
      const piece = trimmed(run, attempt.start, attempt.end);
      if (digitsIn(run.slice(piece.start, piece.end)) >= 7) yield piece;
    }
    // A number that is wrapped continues on the next line, which only the plus proves.
    if (next && run[line.start] === '+') {
      const both = trimmed(run, line.start, next.end);
      if (both.end - both.start < 30) yield both;
    }
  }
}
