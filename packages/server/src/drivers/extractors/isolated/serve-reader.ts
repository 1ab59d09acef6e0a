import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { NotExtractable } from '../driver.ts';
import type { FromReader, ToReader } from './messages.ts';

export type ReadFile<O, R> = (
  content: AsyncIterable<Uint8Array>,
  options: O & { signal: AbortSignal; progress(pages: number, of: number): void },
) => Promise<R>;

/** Runs a process that reads files for the server, one at a time, and ends after one that fails. */
export function serveReader<O extends object, R>(read: ReadFile<O, R>): void {
  const max_bytes = Number(process.argv[2]) * 1024 * 1024;
  const watch = new Worker(new URL('./watch.ts', import.meta.url), { workerData: { max_bytes } });
  watch.unref();

  /** Received messages of the current file that are not processed yet. */
  let waiting: ToReader<O>[] = [];
  let wake = () => {};

  async function* incoming(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const message = waiting.shift();
      if (message?.type === 'end') return;
      if (message?.type === 'bytes') yield message.bytes;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }

  const tell = (message: FromReader<R>) => process.send?.(message);

  async function answer(options: O): Promise<FromReader<R>> {
    try {
      const signal = new AbortController().signal;
      const progress = (pages: number, of: number) => void tell({ type: 'progress', pages, of });
      return { type: 'done', result: await read(incoming(), { ...options, signal, progress }) };
    } catch (error) {
      if (error instanceof NotExtractable) return { type: 'failed', code: error.code, message: error.message };
      return { type: 'failed', code: 'unreadable', message: 'it could not be read' };
    }
  }

  process.on('message', (message: ToReader<O>) => {
    if (message.type !== 'begin') {
      waiting.push(message);
      wake();
      return;
    }
    waiting = [];
    // The server ends us before this; it counts when there is no server any more.
    watch.postMessage(Date.now() + message.total_ms + 2000);
    answer(message.options).then((result) => {
      watch.postMessage(Number.POSITIVE_INFINITY);
      tell(result);
    });
  });
  process.on('disconnect', () => process.exit());
}
