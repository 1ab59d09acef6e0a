import { cutBefore } from '../../lib/text/cut-text.ts';
import type { Span } from './ports.ts';

/** The characters that are read in one go. */
const stretch = 12_000;
/** The characters before and after a stretch that are read too, for context and for values that cross its border. */
const margin = 600;

/** Finds the same spans as one pass, but lets other work run in between. The text is never cut through a value. */
export async function findByStretches(
  text: string,
  find: (text: string) => Span[] | Promise<Span[]>,
  breathe: () => Promise<void>,
): Promise<Span[]> {
  if (text.length <= stretch + margin) return find(text);
  const found: Span[] = [];
  for (let from = 0; from < text.length; ) {
    const to = cutBefore(text, from + stretch);
    const start = Math.max(0, from - margin);
    for (const span of await find(text.slice(start, to + margin))) {
      const moved = { ...span, start: span.start + start, end: span.end + start };
      if (moved.start >= from && moved.start < to) found.push(moved);
    }
    from = to;
    await breathe();
  }
  return found;
}
