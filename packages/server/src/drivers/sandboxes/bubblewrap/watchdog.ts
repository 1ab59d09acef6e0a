import type { EndReason } from '@atrium/contract/sandboxes/engines.ts';
import type { Limits } from '../driver.ts';
import type { Measured, Usage, UsageCounter } from '../local/usage-counter.ts';
import { consumptionOf } from './processes.ts';

interface Watched {
  /** The root process of the command. */
  pid: number;
  /** The directory of its files. */
  work: string;
  /** The disk usage before the command, if known. */
  before: Usage | undefined;
  /** A control group limits the memory, so it is not checked here. */
  memory_held: boolean;
  limits: Limits;
  kill(reason: EndReason): void;
}

const everyMs = 50;
/** Files are counted when they may have grown by this share of the remaining space, and regularly for their number. */
const [growthPart, leastGrowth, restMs, restFactor] = [0.25, 1024 * 1024, 200, 5];
/** How much a command may write in all, deleted files included, as a multiple of the disk limit. */
const mostRewrites = 16;
/** How many checks a process may be unreadable, as it is for a moment while it starts. */
const patience = 4;

/** Whether the usage exceeds the limit and the usage before; a full sandbox can still be emptied. */
function exceeded(found: Usage, before: Usage | undefined, limits: Limits): EndReason | undefined {
  const most = (limit: number, was = 0) => (Number.isFinite(was) ? Math.max(limit, was) : limit);
  if (found.bytes > most(limits.disk_bytes, before?.bytes)) return 'disk';
  if (found.inodes > most(limits.inodes, before?.inodes)) return 'inodes';
  return undefined;
}

/**
 * Enforces what the kernel does not limit by itself: CPU time, memory and processes of a whole command, and its disk
 * usage. One timer checks all commands.
 */
export function makeWatchdog(counter: UsageCounter) {
  const checks = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;

  function add(check: () => void): () => void {
    checks.add(check);
    timer ??= setInterval(() => {
      for (const each of checks) each();
    }, everyMs);
    return () => {
      checks.delete(check);
      if (checks.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }

  return {
    /**
     * Returns a function to call after the command has ended; it returns the disk usage and the limit that was
     * exceeded.
     */
    watch(watched: Watched): () => Promise<{ usage: Usage; reason: EndReason | undefined }> {
      const { pid, work, before, memory_held, limits, kill } = watched;
      const most = Math.max(limits.inodes, Number.isFinite(before?.inodes) ? (before?.inodes ?? 0) : 0);
      let last: Measured = { bytes: before?.bytes ?? 0, inodes: before?.inodes ?? 0, largest: 0, ms: 0 };
      let [countedAt, countedWritten] = [Date.now(), 0];
      let counting: Promise<void> | undefined;
      let hiddenFor = 0;

      const count = async () => {
        last = await counter.measure(work, most);
        const reason = exceeded(last, before, limits);
        if (reason) kill(reason);
        countedAt = Date.now();
      };

      const stop = add(() => {
        const used = consumptionOf(pid);
        if (used.cpu_seconds > limits.cpu_seconds) return kill('cpu');
        // The kernel refuses one more process, so the command is ended here. Three of them are bubblewrap's own.
        if (used.tasks >= limits.processes) return kill('processes');
        if (!memory_held && used.memory_bytes > limits.memory_bytes && used.exactMemory() > limits.memory_bytes)
          return kill('memory');
        if (used.written_bytes > limits.disk_bytes * mostRewrites) return kill('disk');
        // A program that can be run but not read is such a process; what it writes into deleted files can't be seen.
        hiddenFor = used.hidden > 0 ? hiddenFor + 1 : 0;
        if (hiddenFor > patience) return kill('disk');
        const growth = used.written_bytes - countedWritten;
        const due = growth > Math.max(leastGrowth, (limits.disk_bytes - last.bytes) * growthPart);
        if (counting || (!due && Date.now() - countedAt < Math.max(restMs, last.ms * restFactor))) return;
        countedWritten = used.written_bytes;
        counting = count()
          // The sandbox was removed meanwhile, so there is nothing to count.
          .catch(() => {})
          .finally(() => {
            counting = undefined;
          });
      });

      return async () => {
        stop();
        await counting;
        const usage = await counter.measure(work, most);
        return { usage, reason: exceeded(usage, before, limits) };
      };
    },
  };
}
