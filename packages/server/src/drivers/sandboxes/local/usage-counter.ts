import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { asError } from '../../../lib/as-error.ts';

export interface Usage {
  bytes: number;
  inodes: number;
  /** The size of the largest file. */
  largest: number;
}

export interface Measured extends Usage {
  ms: number;
}

/** The thread takes 20 MB, and a tenth of a second to start. */
const idle_ms = 5000;

/**
 * Counts the content of a directory in a thread of its own, since a tree of many thousand files takes a while. It stops
 * soon after `most` entries. The thread ends when nothing was counted for a while.
 */
export function makeUsageCounter({ end_after_ms = idle_ms } = {}): UsageCounter {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let sequence = 0;
  const waiting = new Map<number, { resolve(found: Measured): void; reject(error: Error): void }>();

  function start(): Worker {
    const made = new Worker(new URL('./usage-worker.ts', import.meta.url), { env: {} });
    // The thread must not keep the process alive.
    made.unref();
    made.on('message', ({ id, found, error }: { id: number; found?: Measured; error?: string }) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (found) asked?.resolve(found);
      else asked?.reject(Object.assign(new Error('A sandbox could not be measured'), { code: error }));
      if (waiting.size > 0) return;
      made.unref();
      idle = setTimeout(() => void end(), end_after_ms).unref();
    });
    made.on('error', (error) => {
      for (const asked of waiting.values()) asked.reject(asError(error));
      waiting.clear();
      if (worker === made) worker = undefined;
    });
    return made;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    if (!ending) return;
    ending.ref();
    const exited = once(ending, 'exit');
    await ending.terminate();
    // The thread has ended, with or without an error.
    await exited.catch(() => {});
  }

  return {
    measure(root: string, most: number): Promise<Measured> {
      clearTimeout(idle);
      worker ??= start();
      worker.ref();
      const id = ++sequence;
      worker.postMessage({ id, root, most });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    close: end,
  };
}

export interface UsageCounter {
  measure(root: string, most: number): Promise<Measured>;
  close(): Promise<void>;
}
