/**
 * A thread beside the emulated shell that ends the process when it exceeds a limit. The shell itself may be busy in a
 * long loop and would not notice.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { reasonFd } from './request.ts';

const { memory_bytes, cpu_seconds } = workerData as { memory_bytes: number; cpu_seconds: number };
const everyMs = 25;

function end(reason: string): void {
  writeSync(reasonFd, `${reason}\n`);
  process.kill(process.pid, 'SIGKILL');
}

setInterval(() => {
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1e6 > cpu_seconds) end('cpu');
  if (process.memoryUsage.rss() > memory_bytes) end('memory');
}, everyMs);
