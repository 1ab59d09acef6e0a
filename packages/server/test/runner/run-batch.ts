import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bundledFile, recorder } from './bundled-file.ts';
import { timeLine } from './recorded-times.ts';

/** How long a process may stay when all its tests are done. */
const lingering_ms = 30_000;

/** How long after its limit a file may take to give up by itself. */
const grace_ms = 10_000;

export interface BatchOptions {
  /** How long one file may take. */
  limit_ms: number;
  /** A file that gets a line for each test file with its processor time. */
  times: string;
  /** The folder of the bundle of tests; without it the sources are read. */
  bundle?: string | undefined;
}

async function recordRows(bundle: string | undefined): Promise<void> {
  const folder = process.env['ROW_TYPES_FOLDER'];
  if (!folder) return;
  const { recordRows } = await import(pathToFileURL(bundledFile(bundle, recorder)).href);
  recordRows(folder);
}

/**
 * Runs test files sequentially, each inside a test of its name, so that its top-level resources are closed before the
 * next file loads. The reporter removes these wrapper tests.
 */
export async function runBatch(files: readonly string[], { limit_ms, times, bundle }: BatchOptions): Promise<void> {
  await recordRows(bundle);
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
    const began = process.cpuUsage();
    await test(file, { timeout: limit_ms }, () => import(pathToFileURL(bundledFile(bundle, file)).href));
    const { user, system } = process.cpuUsage(began);
    appendFileSync(times, timeLine({ file, seconds: (user + system) / 1e6 }));
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
