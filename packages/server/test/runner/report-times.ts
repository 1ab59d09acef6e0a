import { readFileSync } from 'node:fs';
import type { FileTime } from './recorded-times.ts';

/** The clock of processor times that Linux shows. */
const ticksInSecond = 100;
const shown = 10;

/** Processor time in seconds of this process and of all that it has started and seen end; undefined where it can't be read. */
function totalSeconds(): number | undefined {
  const { user, system } = process.cpuUsage();
  try {
    // The name of the program comes first, in brackets, and may have spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ended = Number(fields[13]) + Number(fields[14]);
    return (user + system) / 1e6 + ended / ticksInSecond;
  } catch {
    return undefined;
  }
}

/** What the run has cost, PostgreSQL included, and which files took most of it. */
export function reportTimes(times: readonly FileTime[]): void {
  const total = totalSeconds() ?? times.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`processor time: ${total.toFixed(0)} s`);
  const dearest = [...times].sort((a, b) => b.seconds - a.seconds).slice(0, shown);
  for (const { file, seconds } of dearest) console.log(`  ${seconds.toFixed(1).padStart(5)} s  ${file}`);
}
