import type { Readable } from 'node:stream';
import type { Output } from './driver.ts';

/** The bytes that are buffered for a slow reader; beyond that the program waits at its pipe. */
const mostWaiting = 1024 * 1024;

/** Both streams of a process as one sequence, in the order of arrival, until both have ended. */
export async function* mergeOutput(stdout: Readable, stderr: Readable): AsyncGenerator<Output> {
  const waiting: Output[] = [];
  let size = 0;
  let open = 2;
  let wake = Promise.withResolvers<void>();
  const sources = [stdout, stderr];
  for (const [source, stream] of [
    [stdout, 'stdout'],
    [stderr, 'stderr'],
  ] as const) {
    source.on('data', (data: Uint8Array) => {
      waiting.push({ stream, data });
      size += data.length;
      if (size > mostWaiting) for (const each of sources) each.pause();
      wake.resolve();
    });
    // The pipe of a killed process may end with any error.
    source.on('error', () => {});
    source.once('close', () => {
      open--;
      wake.resolve();
    });
  }
  for (;;) {
    const next = waiting.shift();
    if (next) {
      if ('data' in next) size -= next.data.length;
      yield next;
      continue;
    }
    if (open === 0) return;
    for (const source of sources) source.resume();
    await wake.promise;
    wake = Promise.withResolvers();
  }
}
