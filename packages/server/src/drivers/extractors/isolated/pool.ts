import type { ChildProcess } from 'node:child_process';
import type { Extracted, ExtractOptions, Extractor } from '../driver.ts';
import { type ReadLimits, type ReadRequest, readFileWithProcess, startReader } from './reader-process.ts';

export interface IsolationLimits extends ReadLimits {
  /** Files that are read at once; others wait. */
  processes: number;
  /** A process that has had nothing to do for so long ends. */
  idle_ms: number;
  /** The folder with further languages for OCR. */
  ocr_data?: string | undefined;
}

const usual: IsolationLimits = {
  processes: 2,
  time_ms: 60_000,
  total_ms: 30 * 60_000,
  memory_mb: 1024,
  max_bytes: 100 * 1024 * 1024,
  idle_ms: 30_000,
};

/** Limits the number of concurrent reads; further reads wait in a queue. */
function makeSlots(most: number) {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    async enter(signal: AbortSignal): Promise<void> {
      if (busy < most) return void busy++;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = () => {
        const place = waiting.indexOf(resolve);
        // It has just received a slot: its next check of the signal ends it and releases the slot.
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
export function makeProcessPool<O, R>(given: Partial<IsolationLimits>, start: typeof startReader) {
  const limits = { ...usual, ...given };
  const slots = makeSlots(limits.processes);
  const idle = new Map<ChildProcess, NodeJS.Timeout>();

  function wake(): ChildProcess {
    const [found] = [...idle].at(-1) ?? [];
    if (!found) {
      const child = start(limits.memory_mb, limits.ocr_data === undefined ? [] : [limits.ocr_data]);
      // The read in progress reports the errors of its process; a process that has exited is not reused.
      child.on('error', () => {}).once('exit', () => idle.delete(child));
      return child;
    }
    clearTimeout(idle.get(found));
    idle.delete(found);
    found.ref();
    found.channel?.ref();
    return found;
  }
  /** Keeps a process for the next read; an idle process must not keep the server from exiting. */
  function rest(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    const end = () => {
      // Removed before the kill takes effect, so that no read is given a process that is about to end.
      idle.delete(child);
      child.kill('SIGKILL');
    };
    idle.set(child, setTimeout(end, limits.idle_ms).unref());
  }

  async function read(content: AsyncIterable<Uint8Array>, request: ReadRequest<O>): Promise<R> {
    request.signal.throwIfAborted();
    const child = wake();
    try {
      const result = await readFileWithProcess<O, R>(child, content, request, limits);
      rest(child);
      return result;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  return async (content: AsyncIterable<Uint8Array>, request: ReadRequest<O>): Promise<R> => {
    request.signal.throwIfAborted();
    await slots.enter(request.signal);
    return await read(content, request).finally(() => slots.leave());
  };
}

/** Reads the text of files in such processes. */
export function makePool(given: Partial<IsolationLimits>, start = startReader): { extract: Extractor['extract'] } {
  type Options = Omit<ExtractOptions, 'signal' | 'progress' | 'detect_language'>;
  const read = makeProcessPool<Options, Extracted>(given, start);
  const { ocr_data } = given;
  return {
    extract: (content, { signal, progress, detect_language: _, ...options }) =>
      read(content, { signal, progress, options: { ...options, ...(ocr_data && { ocr_data }) } }),
  };
}
