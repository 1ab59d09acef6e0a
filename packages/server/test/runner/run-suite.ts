import { appendFileSync } from 'node:fs';
import type { Failure } from './report.ts';
import { type RunOptions, runBatches } from './run-batches.ts';

/** So many files do not fail by chance. */
const most_suspects = 20;

export interface SuiteOptions extends RunOptions {
  /** Where flaky files are listed. Without it a file that fails is not run again. */
  flakyList: string | undefined;
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300);

/** The line that `.ci/run` ends with for a file that failed first and passed alone. */
export const flakyLine = ({ files, test, message }: Failure) =>
  `flaky: ${files.join(', ')}: ${inOneLine(test)}: ${inOneLine(message)}`;

/**
 * Runs the batches. A file that failed is run once more, alone, if a list of flaky files is asked for; if it passes, the
 * list gets its first failure. Whether all files passed, at once or alone.
 */
export async function runSuite(batches: readonly (readonly string[])[], options: SuiteOptions): Promise<boolean> {
  const { success, unfinished } = await runBatches(batches, options);
  const { failures, notRun } = unfinished;
  if (success || !options.flakyList || options.signal.aborted) return success;
  // A failure that belongs to no file has nothing that could be run again.
  if (failures.length === 0 || failures.length > most_suspects) return false;
  const suspects = [...new Set([...failures.flatMap(({ files }) => files), ...notRun])];
  console.log(`\nRunning once more, each file alone: ${suspects.join(', ')}\n`);
  const alone = suspects.map((file) => [file]);
  const again = await runBatches(alone, { ...options, concurrency: 1 });
  const failedAgain = new Set(again.unfinished.failures.flatMap(({ files }) => files));
  for (const failure of failures) {
    if (!again.success && failure.files.some((file) => failedAgain.has(file))) continue;
    appendFileSync(options.flakyList, `${flakyLine(failure)}\n`);
    console.log(flakyLine(failure));
  }
  for (const file of failedAgain) console.log(`failed twice: ${file}`);
  return again.success;
}
