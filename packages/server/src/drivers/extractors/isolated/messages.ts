import type { NotExtractable } from '../driver.ts';

/** The messages to the process that reads a file, in this order. */
export type ToReader<O> =
  | { type: 'begin'; options: O; total_ms: number }
  | { type: 'bytes'; bytes: Uint8Array }
  | { type: 'end' };

/** The messages from the process: its progress, then the result or an error. */
export type FromReader<R> =
  | { type: 'progress'; pages: number; of: number }
  | { type: 'done'; result: R }
  | { type: 'failed'; code: NotExtractable['code']; message: string };

/** How a process that watches its own memory ends itself. */
export const memorySignal = 'SIGTERM';
