import { required } from '../../lib/required.ts';
import type { Span } from './ports.ts';
import { firstEndingAfter, resolveOverlaps } from './resolve-overlaps.ts';

const capital = /\p{Lu}/u;

/** The part of a span from the first to the last capitalized word; nothing when there is none. */
function named(text: string, span: Span): Span[] {
  const words = [...text.slice(span.start, span.end).matchAll(/[^\s,;:]+/g)].filter(([word]) => capital.test(word));
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return [];
  return [{ ...span, start: span.start + first.index, end: span.start + last.index + last[0].length }];
}

/**
 * Cuts dates out of names. The tagger knows English best and takes "né le 14 juillet 1989 à Lyon" for one place; the
 * parts beside the date are kept, so that no name is lost to a date.
 */
export function cutDates(text: string, names: readonly Span[], dates: readonly Span[]): Span[] {
  const sorted = resolveOverlaps(dates);
  return names.flatMap((name) => {
    const inside: Span[] = [];
    for (let at = firstEndingAfter(sorted, name.start); at < sorted.length; at++) {
      const date = required(sorted[at]);
      if (date.start >= name.end) break;
      inside.push(date);
    }
    if (!inside.length) return [name];
    const starts = [name.start, ...inside.map(({ end }) => end)];
    const ends = [...inside.map(({ start }) => start), name.end];
    return starts.flatMap((start, at) => {
      const end = required(ends[at]);
      return end > start ? named(text, { ...name, start, end }) : [];
    });
  });
}
