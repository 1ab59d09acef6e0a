import type { Run } from './text-runs.ts';

/** Runs at one height, as they are read: the cells of a row, or one piece of text. */
export type Line = Run[];

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 1;

const letters = (runs: readonly Run[], rtl: boolean) =>
  runs.reduce((sum, run) => sum + (run.rtl === rtl ? (run.text.match(/\p{L}/gu)?.length ?? 0) : 0), 0);

/** Whether they are read from right to left; where figures alone say nothing, as the page is. */
const isRtl = (runs: readonly Run[], page: boolean) => {
  const [right, left] = [letters(runs, true), letters(runs, false)];
  return right === left ? page : right > left;
};

/** Lines from top to bottom. */
function linesOf(runs: readonly Run[], rtl = false): Line[] {
  const lines: Line[] = [];
  for (const run of runs.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const line = lines.at(-1);
    const first = line?.[0];
    if (line && first && Math.abs(first.y - run.y) < Math.min(run.size, first.size) * 0.4) line.push(run);
    else lines.push([run]);
  }
  for (const line of lines) {
    const back = isRtl(line, rtl);
    line.sort((a, b) => (back ? b.x - a.x : a.x - b.x));
  }
  return lines;
}

/** Distinguishes columns of prose from the short cells of a table. */
const isProse = (runs: readonly Run[]) =>
  linesOf(runs).length >= 3 && runs.reduce((sum, { text }) => sum + text.length, 0) / runs.length >= 15;

/** Where a band without text runs from top to bottom, with columns of prose on both of its sides. */
function columns(runs: readonly Run[], size: number): [Run[], Run[]] | undefined {
  const sorted = runs.toSorted((a, b) => a.x - b.x);
  let end = Number.NEGATIVE_INFINITY;
  for (const [index, run] of sorted.entries()) {
    if (index > 0 && run.x - end > size * 0.9) {
      const sides: [Run[], Run[]] = [sorted.slice(0, index), sorted.slice(index)];
      if (sides.every(isProse)) return sides;
    }
    end = Math.max(end, run.x2);
  }
  return undefined;
}

/** What stands above and below the widest band without text that runs from left to right; `least` is its height. */
function bands(runs: readonly Run[], least: number): [Run[], Run[]] | undefined {
  const sorted = runs.toSorted((a, b) => b.y - a.y);
  let [at, widest] = [0, least];
  for (const [index, run] of sorted.entries()) {
    const gap = (sorted[index - 1] ?? run).y - run.y;
    if (index > 0 && gap > widest) [at, widest] = [index, gap];
  }
  return at ? [sorted.slice(0, at), sorted.slice(at)] : undefined;
}

const deepest = 40;

/** Heights of letters between two lines: of parts of a page that have nothing to do with each other, and of paragraphs. */
const partGap = 3.5;
const paragraphGap = 1.8;

/**
 * Sorts the lines of a page into reading order: first separate parts, within a part its columns, within a column its
 * paragraphs. The order in the file does not help, since programs write pages in any order.
 */
export function sortByReadingOrder(runs: readonly Run[], rtl = isRtl(runs, false), depth = 0): Line[] {
  if (runs.length < 2 || depth > deepest) return linesOf(runs, rtl);
  const size = median(runs.map((run) => run.size));
  const sides = () => (rtl ? columns(runs, size)?.toReversed() : columns(runs, size));
  const parts = bands(runs, size * partGap) ?? sides() ?? bands(runs, size * paragraphGap);
  return parts ? parts.flatMap((part) => sortByReadingOrder(part, rtl, depth + 1)) : linesOf(runs, rtl);
}
