import { readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** Seconds of processor time that files have taken, of those that take at least one. `--record-times` writes it anew. */
const list = new URL('./recorded-times.json', import.meta.url);
const recorded: Record<string, number> = JSON.parse(readFileSync(list, 'utf8'));
const least_s = 1;
const usual_s = 0.4;

/** What a file is expected to take. */
export const secondsOf = (file: string): number => recorded[relative('.', file)] ?? usual_s;

export interface FileTime {
  file: string;
  seconds: number;
}

/** A process writes such a line for each file that has ended. */
export const timeLine = ({ file, seconds }: FileTime) => `${seconds.toFixed(2)}\t${file}\n`;

export function readTimes(path: string): FileTime[] {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [seconds, file = ''] = line.split('\t');
    return { file, seconds: Number(seconds) };
  });
}

/** Keeps the times of files that did not run. */
export function recordTimes(times: readonly FileTime[]): void {
  const known = { ...recorded };
  for (const { file, seconds } of times) {
    delete known[file];
    if (seconds >= least_s) known[file] = Math.round(seconds);
  }
  const sorted = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(resolve(list.pathname), `${JSON.stringify(sorted, null, 2)}\n`);
}
