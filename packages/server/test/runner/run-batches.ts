import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { flattenFileEvents, UnfinishedTests } from './report.ts';
import type { BatchOptions } from './run-batch.ts';

export interface RunOptions extends BatchOptions {
  concurrency: number;
  signal: AbortSignal;
}

const plainPromises = new URL('./plain-promises.mjs', import.meta.url).href;
const program = new URL('./run-batch.ts', import.meta.url).href;

/** A process per batch, written as a file that names the batch's test files. */
function writeEntry(dir: string, index: number, files: readonly string[], options: BatchOptions): string {
  const entry = join(dir, `batch-${String(index + 1).padStart(2, '0')}.mjs`);
  // What a module imports is read before the module runs, so `node:test` has to come with a later import.
  const lines = [
    `import '${plainPromises}';`,
    `const { runBatch } = await import('${program}');`,
    `await runBatch(${JSON.stringify(files, null, 2)}, ${JSON.stringify(options)});`,
  ];
  writeFileSync(entry, `${lines.join('\n')}\n`);
  return entry;
}

/** Runs each batch in a process of its own and prints the report; `success` only if the whole run was seen to its end. */
export async function runBatches(batches: readonly (readonly string[])[], options: RunOptions) {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-batches-'));
  const unfinished = new UnfinishedTests();
  let success = false;
  try {
    const { concurrency, signal, limit_ms, times, bundle } = options;
    const entries = batches.map((files, index) => writeEntry(dir, index, files, { limit_ms, times, bundle }));
    const batchOf = (name: string) => batches[entries.indexOf(name)];
    const events = run({ files: entries, concurrency, signal }).compose<Readable>(
      flattenFileEvents(batches, unfinished, batchOf),
    );
    events.on('data', (event: TestEvent) => {
      if (event.type === 'test:summary' && event.data.file === undefined) success = event.data.success;
    });
    const text = events.compose(spec);
    text.pipe(process.stdout, { end: false });
    await finished(text);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  return { success, unfinished };
}
