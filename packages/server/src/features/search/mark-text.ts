import type { MarkedText } from '@atrium/contract/search/schema.ts';
import type { SearchText } from './ports.ts';

/** How much of a text a hit shows, and how much of that stands before the first match. */
const pieceLength = 200;
const lengthBefore = 60;
/** Where to look for the first match: what the database indexes of a text. */
const mostRead = 100_000;

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** The whole text anywhere, or one of its words at the beginning of a word. */
function patternOf({ q, words }: SearchText): RegExp {
  const parts = [escaped(q)];
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  if (words.length) parts.push(`(?<![\\p{L}\\p{N}\\p{M}])(?:${longestFirst.map(escaped).join('|')})`);
  return new RegExp(parts.join('|'), 'giu');
}

/** The places that match, as numbers: a mark inside the text could be mistaken for what a user wrote. */
export function markText(text: string, asked: SearchText): MarkedText {
  const marks = [...text.matchAll(patternOf(asked))].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
  return { text, marks };
}

/** A piece of a long text around its first match, or its beginning. */
export function markPiece(whole: string, asked: SearchText): MarkedText {
  const first = patternOf(asked).exec(whole.slice(0, mostRead))?.index ?? 0;
  let start = Math.max(0, first - lengthBefore);
  // Begins with a word.
  if (start > 0) start += whole.slice(start, first).search(/\s/) + 1;
  return markText(
    whole
      .slice(start, start + pieceLength)
      .toWellFormed()
      .trim(),
    asked,
  );
}
