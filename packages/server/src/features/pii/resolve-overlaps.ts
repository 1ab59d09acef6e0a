import type { Span } from './ports.ts';

/** The score from which a span has passed a check. */
const validated = 0.9;

/** The order of preference for overlapping spans: validated, then longer, then more confident. */
function better(a: Span, b: Span): number {
  return (
    Number(b.score >= validated) - Number(a.score >= validated) ||
    b.end - b.start - (a.end - a.start) ||
    b.score - a.score ||
    a.start - b.start
  );
}

/** The index of the first kept span that ends after a position. */
export function firstEndingAfter(kept: readonly Span[], position: number): number {
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((kept[middle]?.end ?? Number.POSITIVE_INFINITY) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Keeps the best spans without overlaps, sorted by start. Overlapping spans are resolved chain by chain, so that many
 * spans cost no more than sorting.
 */
export function resolveOverlaps<S extends Span>(found: readonly S[]): S[] {
  const spans = found.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: S[] = [];
  let chain: S[] = [];
  let reach = 0;
  const settle = () => {
    const chosen: S[] = [];
    for (const span of chain.sort(better)) {
      const at = firstEndingAfter(chosen, span.start);
      const next = chosen[at];
      if (!next || next.start >= span.end) chosen.splice(at, 0, span);
    }
    for (const span of chosen) kept.push(span);
    chain = [];
  };
  for (const span of spans) {
    if (chain.length && span.start >= reach) settle();
    reach = chain.length ? Math.max(reach, span.end) : span.end;
    chain.push(span);
  }
  settle();
  return kept;
}
