import { required } from '../../lib/required.ts';
import type { PrivateSpan } from './replace-private-spans.ts';

const isSaid = /[\p{L}\p{N}]/u;

/**
 * The parts of dropped spans that no kept span covers: they are parts of a value all the same. `kept` is sorted and has
 * no overlaps.
 */
export function findUncoveredParts(
  text: string,
  all: readonly PrivateSpan[],
  kept: readonly PrivateSpan[],
): PrivateSpan[] {
  const left: PrivateSpan[] = [];
  let next = 0;
  /** Everything before this position is covered or processed. */
  let done = 0;
  const add = (span: PrivateSpan, to: number) => {
    if (to > done && isSaid.test(text.slice(done, to)))
      left.push({ ...span, instead: undefined, start: done, end: to });
    done = Math.max(done, to);
  };
  for (const span of all.toSorted((a, b) => a.start - b.start)) {
    done = Math.max(done, span.start);
    while ((kept[next]?.end ?? Number.POSITIVE_INFINITY) <= done) next++;
    for (let at = next; at < kept.length && required(kept[at]).start < span.end; at++) {
      const { start, end } = required(kept[at]);
      add(span, start);
      done = Math.max(done, end);
    }
    add(span, span.end);
  }
  return left;
}
