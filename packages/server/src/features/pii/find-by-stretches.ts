import { cutBefore } from '../../lib/text/cut-text.ts';
import type { Span } from './ports.ts';

/** Characters that are read in one go. */
const stretch = 12_000;
/** What is read before and after for context, and for values that begin in a stretch and end outside of it. */
const margin = 600;

/** The same finds as in one go, but others have their turn in between: cut where no value is torn. */
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
