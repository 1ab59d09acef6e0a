import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../../lib/error-code.ts';

/** A control group for one command. */
export interface MemoryGroup {
  /** A process joins the group by writing its pid here. */
  procs: string;
  /** Whether the kernel has killed a process of the group for memory. */
  wasExceeded(): boolean;
  remove(): Promise<void>;
}

export interface MemoryGroups {
  make(bytes: number): MemoryGroup;
}

interface Kind {
  parent: string;
  limit: string;
  swap: string;
  events: string;
}

/** The directories of our own control group: one hierarchy for memory (v1), or one for everything (v2). */
function candidates(): Kind[] {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  const found: Kind[] = [];
  for (const line of lines) {
    const [, controllers = '', path = '/'] = line.split(':');
    if (controllers.split(',').includes('memory'))
      found.push({
        parent: join('/sys/fs/cgroup/memory', path),
        limit: 'memory.limit_in_bytes',
        swap: 'memory.memsw.limit_in_bytes',
        events: 'memory.oom_control',
      });
    if (line.startsWith('0::'))
      found.push({
        parent: join('/sys/fs/cgroup', path),
        limit: 'memory.max',
        swap: 'memory.swap.max',
        events: 'memory.events',
      });
  }
  return found;
}

function makeGroup({ parent, limit, swap, events }: Kind, bytes: number): MemoryGroup {
  const path = join(parent, `atrium-${randomBytes(8).toString('hex')}`);
  mkdirSync(path);
  try {
    writeFileSync(join(path, limit), String(bytes));
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  try {
    writeFileSync(join(path, swap), limit === 'memory.max' ? '0' : String(bytes));
  } catch {
    // Without swap there is nothing to limit.
  }
  return {
    procs: join(path, 'cgroup.procs'),
    wasExceeded() {
      const killed = /^oom_kill (\d+)/m.exec(readFileSync(join(path, events), 'utf8'))?.[1];
      return Number(killed ?? 0) > 0;
    },
    async remove() {
      // The kernel releases the last process a moment after it has ended.
      for (let attempt = 0; attempt < 50; attempt++) {
        try {
          return rmdirSync(path);
        } catch (error) {
          if (errorCode(error) !== 'EBUSY') return;
          await sleep(10);
        }
      }
    },
  };
}

/** Control groups with a memory limit, where this user may create them; undefined elsewhere. */
export async function findMemoryGroups(): Promise<MemoryGroups | undefined> {
  for (const kind of candidates()) {
    try {
      accessSync(kind.parent, constants.W_OK);
      const trial = makeGroup(kind, 64 * 1024 * 1024);
      trial.wasExceeded();
      await trial.remove();
      return { make: (bytes) => makeGroup(kind, bytes) };
    } catch {
      // Read-only, not delegated to us, or without the memory controller.
    }
  }
  return undefined;
}
