import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { memorySignal } from './messages.ts';

/**
 * Watches the process from its own thread, since a parser may block the main thread. V8 limits the heap; this limit
 * also counts the memory of images and WebAssembly. The deadline ends a process whose parent is gone.
 */
const { max_bytes } = workerData as { max_bytes: number };
let deadline = Number.POSITIVE_INFINITY;
parentPort?.on('message', (at: number) => {
  deadline = at;
});
setInterval(() => {
  if (process.memoryUsage.rss() > max_bytes) process.kill(process.pid, memorySignal);
  if (Date.now() > deadline) process.kill(process.pid, 'SIGKILL');
}, 25);
