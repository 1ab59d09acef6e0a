import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Baseline } from './judge-mutant.ts';

/** A guess for files that have not been run yet: larger files take longer. */
const ms_per_byte = 0.3;

/** The one named after the file comes first, then one group after the other; of each the cheapest. */
export function orderTests(root: string, file: string, groups: readonly string[][], baseline: Baseline): string[] {
  const own = `${basename(file, '.ts')}.test.ts`;
  const costOf = (test: string) => baseline.get(test) ?? statSync(join(root, test)).size * ms_per_byte;
  const ordered = groups.flatMap((tests) =>
    tests.map((test) => ({ test, cost: costOf(test) })).toSorted((a, b) => a.cost - b.cost),
  );
  const named = ordered.filter(({ test }) => basename(test) === own);
  return [...new Set([...named, ...ordered].map(({ test }) => test))];
}
