import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { recordRows } from '../row-types/record-rows.ts';

/** How long a process may stay when all its tests are done. */
const lingering_ms = 30_000;

/** How long after its limit a file may take to give up by itself. */
const grace_ms = 10_000;

/** A line of the list that TEST_TIMES asks for: seconds in all, seconds of processor time, the file. */
function timesLine(file: string, took_ms: number, { user, system }: NodeJS.CpuUsage): string {
  return `${(took_ms / 1e3).toFixed(1)}\t${((user + system) / 1e6).toFixed(1)}\t${file}\n`;
}

/**
 * Runs test files sequentially, each inside a test of its name, so that its top-level resources are closed before the
 * next file loads. The reporter removes these wrapper tests.
 */
export async function runBatch(files: readonly string[], limit_ms: number): Promise<void> {
  const rows = process.env['ROW_TYPES_FOLDER'];
  if (rows) recordRows(rows);
  const times = process.env['TEST_TIMES'];
  let current: string | undefined;
  process.on('exit', () => {
    if (current) console.error(`The process ended within ${current}`);
  });
  // A test may wait for what keeps no process alive, such as AbortSignal.timeout: the files after it would be lost.
  const alive = setInterval(() => {}, 60_000);
  const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), {
    workerData: limit_ms + Math.min(grace_ms, limit_ms),
  });
  watchdog.unref();
  for (const file of files) {
    current = file;
    watchdog.postMessage(file);
    const [began, used] = [performance.now(), process.cpuUsage()];
    await test(file, { timeout: limit_ms }, () => import(pathToFileURL(file).href));
    if (times) appendFileSync(times, timesLine(file, performance.now() - began, process.cpuUsage(used)));
  }
  clearInterval(alive);
  watchdog.postMessage(`The end of ${files.join(', ')}`);
  current = undefined;
  setTimeout(
    () => {
      console.error(`Left open by one of ${files.join(', ')}: ${process.getActiveResourcesInfo().join(', ')}`);
      process.exit(1);
    },
    Math.min(lingering_ms, limit_ms),
  ).unref();
}
