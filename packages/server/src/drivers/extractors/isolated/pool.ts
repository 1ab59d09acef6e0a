import type { ChildProcess } from 'node:child_process';
import type { Extractor } from '../driver.ts';
import { type ReadLimits, readFileWithProcess, startReader } from './reader-process.ts';

export interface IsolationLimits extends ReadLimits {
  /** Files that are read at once; others wait. */
  processes: number;
  /** A process that has had nothing to do for so long ends. */
  idle_ms: number;
}

const usual: IsolationLimits = {
  processes: 2,
  time_ms: 60_000,
  total_ms: 30 * 60_000,
  memory_mb: 1024,
  max_bytes: 100 * 1024 * 1024,
  idle_ms: 30_000,
};

/** Runs at most so many at once; the rest waits in a queue. */
function makeSlots(most: number) {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    async enter(signal: AbortSignal): Promise<void> {
      if (busy < most) return void busy++;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = () => {
        const place = waiting.indexOf(resolve);
        // Its turn has come at this very moment: whoever reads the signal next ends it, and gives the turn on.
        if (place < 0) return;
        waiting.splice(place, 1);
        reject(signal.reason);
      };
      waiting.push(resolve);
      signal.addEventListener('abort', leave, { once: true });
      await promise.finally(() => signal.removeEventListener('abort', leave));
    },
    /** The slot goes from one to the next without being free in between. */
    leave() {
      const next = waiting.shift();
      if (next) next();
      else busy--;
    },
  };
}

/** A few processes that read files, started when they are needed and ended after a failure or when idle. */
export function makePool(given: Partial<IsolationLimits>, start = startReader): { extract: Extractor['extract'] } {
  const limits = { ...usual, ...given };
  const slots = makeSlots(limits.processes);
  const idle = new Map<ChildProcess, NodeJS.Timeout>();

  function wake(): ChildProcess {
    const [found] = [...idle].at(-1) ?? [];
    if (!found) {
      const child = start(limits.memory_mb);
      // What is wrong with one is told to whoever has it read; one that has ended takes nothing more.
      child.on('error', () => {}).once('exit', () => idle.delete(child));
      return child;
    }
    clearTimeout(idle.get(found));
    idle.delete(found);
    found.ref();
    found.channel?.ref();
    return found;
  }
  /** One that waits must not keep the server from ending. */
  function rest(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    const end = () => {
      // Its end takes a moment, and whoever was given it in that moment would end with it.
      idle.delete(child);
      child.kill('SIGKILL');
    };
    idle.set(child, setTimeout(end, limits.idle_ms).unref());
  }

  const read: Extractor['extract'] = async (content, options) => {
    options.signal.throwIfAborted();
    const child = wake();
    try {
      const extracted = await readFileWithProcess(child, content, options, limits);
      rest(child);
      return extracted;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  };

  return {
    async extract(content, options) {
      options.signal.throwIfAborted();
      await slots.enter(options.signal);
      return await read(content, options).finally(() => slots.leave());
    },
  };
}
