import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Memory in megabytes: a process's own pages, and its share of those it has in common with others. */
export function megabytesOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** Processor time of all threads of a process so far, in milliseconds. A process that has ended counts nothing. */
export function cpuMsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadMs(`/proc/${pid}/task/${thread}`), 0);
  } catch {
    return 0;
  }
}

function threadMs(path: string): number {
  try {
    return Number(readFileSync(`${path}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    // It has ended since the folder was read.
    return 0;
  }
}

/** Processor time of several processes between two moments. One that ended in between is left out. */
export function makeCpuMeter(pids: () => number[]): () => number {
  const before = new Map(pids().map((pid) => [pid, cpuMsOf(pid)]));
  return () => {
    let sum = 0;
    // The time of one that began in between counts from its beginning: PostgreSQL starts a process for a connection.
    for (const pid of new Set([...before.keys(), ...pids()])) sum += Math.max(0, cpuMsOf(pid) - (before.get(pid) ?? 0));
    return sum;
  };
}

/** The program's name; PostgreSQL's processes say there what they do. */
export const commandOf = (pid: number): string =>
  basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0', 1)[0] ?? '').trim();
