import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/** The slowest file takes a fortieth of it on two cores that have nothing else to do. */
const longest_ms = 600_000;

/** How long a process may stay when all its tests are done. */
const lingering_ms = 30_000;

/**
 * One test file after the other, each inside a test of its name: what it makes at its top level is closed before the next
 * one is read. That test is taken out of the report again.
 */
export async function runBatch(files: readonly string[]): Promise<void> {
  let current: string | undefined;
  process.on('exit', () => {
    if (current) console.error(`The process ended within ${current}`);
  });
  // A test may wait for what keeps no process alive, such as AbortSignal.timeout: the files after it would be lost.
  const alive = setInterval(() => {}, 60_000);
  for (const file of files) {
    current = file;
    await test(file, { timeout: longest_ms }, () => import(pathToFileURL(file).href));
  }
  clearInterval(alive);
  current = undefined;
  setTimeout(() => {
    console.error(`Left open by one of ${files.join(', ')}: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, lingering_ms).unref();
}
