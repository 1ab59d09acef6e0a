import { readdirSync, readFileSync } from 'node:fs';
import { errorCode } from '../../../lib/error-code.ts';

/** The resources that all processes of a command use. */
export interface Consumption {
  /** Threads count, as they do for the kernel. */
  tasks: number;
  cpu_seconds: number;
  memory_bytes: number;
  /** The bytes written to disk since the command began, including those of ended processes that were waited for. */
  written_bytes: number;
  /** The number of processes that made themselves unreadable. */
  hidden: number;
}

/** USER_HZ, which is 100 on every architecture of Linux. */
const ticksPerSecond = 100;
const pageKilobyte = 1024;

function read(path: string, onRefused?: () => void): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    // The process has ended since it was listed, unless access was denied.
    if (errorCode(error) === 'EACCES') onRefused?.();
    return '';
  }
}

/** A process and all its descendants. Orphans of a pid namespace go to its first process, which is among them. */
export function treeOf(root: number): number[] {
  const found = [root];
  for (let index = 0; index < found.length; index++) {
    const tasks = `/proc/${found[index]}/task`;
    let threads: string[] = [];
    try {
      threads = readdirSync(tasks);
    } catch {
      continue;
    }
    for (const thread of threads)
      for (const child of read(`${tasks}/${thread}/children`).split(' ')) if (child) found.push(Number(child));
  }
  return found;
}

const field = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);

function cpuOf(pid: number): number {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program may contain spaces and parentheses. After it: its own user and system time, and its
  // children's.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / ticksPerSecond;
}

/** Memory that forked processes share counts for each of them at first, and is divided only near the limit. */
export function consumptionOf(root: number): Consumption & { exactMemory(): number } {
  const tree = treeOf(root);
  const total = { tasks: 0, cpu_seconds: 0, memory_bytes: 0, written_bytes: 0, hidden: 0 };
  for (const pid of tree) {
    const status = read(`/proc/${pid}/status`);
    const io = read(`/proc/${pid}/io`, () => total.hidden++);
    total.tasks += field(status, 'Threads');
    total.cpu_seconds += cpuOf(pid);
    total.memory_bytes += (field(status, 'RssAnon') + field(status, 'RssShmem')) * pageKilobyte;
    total.written_bytes += field(io, 'write_bytes');
  }
  const exactMemory = () =>
    tree.reduce((sum, pid) => {
      const text = read(`/proc/${pid}/smaps_rollup`);
      // Where it can't be read, the rougher figure is used.
      const proportional = text ? field(text, 'Pss_Anon') + field(text, 'Pss_Shmem') : undefined;
      return sum + (proportional ?? field(read(`/proc/${pid}/status`), 'RssAnon')) * pageKilobyte;
    }, 0);
  return { ...total, exactMemory };
}
