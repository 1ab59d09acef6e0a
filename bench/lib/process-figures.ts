import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Memory in megabytes: a process's own pages, and its share of those it has in common with others. */
export function megabytesOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** Processor time a process has used so far, in milliseconds (to 10 ms, the kernel's tick). */
export function cpuMsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The program's name; PostgreSQL's processes say there what they do. */
export const commandOf = (pid: number): string =>
  basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 1)[0] ?? '').trim();
