import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Baseline } from './judge-mutant.ts';

/** A guess for files that have not been run yet: larger files take longer. */
const ms_per_byte = 0.3;

/** Tests most likely to notice a change first: the one named after the file, those beside it; of these the cheapest. */
export function orderTests(root: string, file: string, tests: readonly string[], baseline: Baseline): string[] {
  const own = `${basename(file, '.ts')}.test.ts`;
  const rank = (test: string) => (basename(test) === own ? 0 : dirname(test) === dirname(file) ? 1 : 2);
  const costOf = (test: string) => baseline.get(test) ?? statSync(join(root, test)).size * ms_per_byte;
  return [...new Set(tests)]
    .map((test) => ({ test, rank: rank(test), cost: costOf(test) }))
    .toSorted((a, b) => a.rank - b.rank || a.cost - b.cost)
    .map(({ test }) => test);
}
