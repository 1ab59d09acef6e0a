// The process that runs test files one after the other, each inside a test of its name: what a file makes at its top level
// is closed before the next one is read. `first-failure.ts` reports them and ends the process.
import { flushCompileCache } from 'node:module';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

// A test may wait for what keeps no process alive; the files after it would be lost.
setInterval(() => {}, 60_000);
for (const file of process.argv.slice(2)) {
  await test(file, () => import(pathToFileURL(file).href));
  flushCompileCache();
}
