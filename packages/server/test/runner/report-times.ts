import { readFileSync } from 'node:fs';
import type { FileTime } from './recorded-times.ts';

/** The clock of processor times that Linux shows. */
const ticksInSecond = 100;
const shown = 10;

/** Processor time in seconds of a process and of all that it has started and seen end; undefined where it can't be read. */
export function secondsOfProcess(pid: number): number | undefined {
  try {
    // The name of the program comes first, in brackets, and may have spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksInSecond;
  } catch {
    return undefined;
  }
}

/** What the run has cost, how much of it PostgreSQL (if it was seen) and test files, and which files took most. */
export function reportTimes(times: readonly FileTime[], postgres = 0): void {
  const inFiles = times.reduce((sum, { seconds }) => sum + seconds, 0);
  const total = secondsOfProcess(process.pid) ?? inFiles + postgres;
  const split = `test files ${inFiles.toFixed(0)} s, PostgreSQL ${postgres.toFixed(0)} s`;
  console.log(`processor time: ${total.toFixed(0)} s (${split})`);
  const dearest = [...times].sort((a, b) => b.seconds - a.seconds).slice(0, shown);
  for (const { file, seconds } of dearest) console.log(`  ${seconds.toFixed(1).padStart(5)} s  ${file}`);
}
