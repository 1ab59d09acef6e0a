// `npm test`: many test files in few processes, reported as node's own runner would. CONTRIBUTING.md says what that asks of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { globalSetup, globalTeardown } from './global-setup.ts';
import { batchesOf, testFiles } from './runner/batches.ts';
import { asPlainFiles } from './runner/report.ts';

/** Each process waits for two thirds of its time, for PostgreSQL or for a child: four keep two cores busy. */
const concurrency = 4;

/** A process that has not ended by then is killed, whatever keeps it: a file's own limit comes long before. */
const longest_ms = 1_800_000;

// Only a run that is seen to its end may say that all is well.
process.exitCode = 1;
const batches = batchesOf(testFiles(process.argv.slice(2)));
if (batches.length === 0) throw new Error('There are no such test files');

await globalSetup();
const dir = mkdtempSync(join(tmpdir(), 'atrium-batches-'));
const program = new URL('./runner/run-batch.ts', import.meta.url).href;
const entries = batches.map((files, index) => {
  const entry = join(dir, `batch-${String(index + 1).padStart(2, '0')}.mjs`);
  const list = JSON.stringify(files, null, 2);
  writeFileSync(entry, `import { runBatch } from '${program}';\nawait runBatch(${list});\n`);
  return entry;
});

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopped.abort());

try {
  const { signal } = stopped;
  const events = run({ files: entries, concurrency, timeout: longest_ms, signal }).compose<Readable>(
    asPlainFiles(batches),
  );
  events.on('data', (event: TestEvent) => {
    if (event.type === 'test:summary' && event.data.file === undefined) process.exitCode = event.data.success ? 0 : 1;
  });
  const text = events.compose(spec);
  text.pipe(process.stdout);
  await finished(text);
} finally {
  rmSync(dir, { recursive: true, force: true });
  await globalTeardown();
}
