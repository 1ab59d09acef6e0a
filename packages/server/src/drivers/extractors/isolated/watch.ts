import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { memorySignal } from './messages.ts';

/**
 * Looks after the process from a thread of its own: the others may be deep in a parser and hear nothing. The heap has a
 * limit by itself; this one counts the memory of images and WebAssembly too. A process whose parent is gone ends by time.
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
