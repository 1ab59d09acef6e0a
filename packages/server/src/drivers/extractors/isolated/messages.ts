import type { Extracted, ExtractOptions, NotExtractable } from '../driver.ts';

/** The messages to the process that reads a file, in this order. */
export type ToReader =
  | { type: 'begin'; options: Omit<ExtractOptions, 'signal' | 'progress'>; total_ms: number }
  | { type: 'bytes'; bytes: Uint8Array }
  | { type: 'end' };

/** The messages from the process: its progress, then the result or an error. */
export type FromReader =
  | { type: 'progress'; pages: number; of: number }
  | { type: 'done'; extracted: Extracted }
  | { type: 'failed'; code: NotExtractable['code']; message: string };

/** How a process that watches its own memory ends itself. */
export const memorySignal = 'SIGTERM';
