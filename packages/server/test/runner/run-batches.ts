import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { flattenFileEvents, UnfinishedTests } from './report.ts';

export interface RunOptions {
  concurrency: number;
  /** How long one file may take. */
  limit_ms: number;
  signal: AbortSignal;
}

const program = new URL('./run-batch.ts', import.meta.url).href;

/** A process per batch, written as a file that names the batch's test files. */
function writeEntry(dir: string, index: number, files: readonly string[], limit_ms: number): string {
  const entry = join(dir, `batch-${String(index + 1).padStart(2, '0')}.mjs`);
  const list = JSON.stringify(files, null, 2);
  writeFileSync(entry, `import { runBatch } from '${program}';\nawait runBatch(${list}, ${limit_ms});\n`);
  return entry;
}

/** Runs each batch in a process of its own and prints the report; `success` only if the whole run was seen to its end. */
export async function runBatches(batches: readonly (readonly string[])[], options: RunOptions) {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-batches-'));
  const unfinished = new UnfinishedTests();
  let success = false;
  try {
    const entries = batches.map((files, index) => writeEntry(dir, index, files, options.limit_ms));
    const batchOf = (name: string) => batches[entries.indexOf(name)];
    const { concurrency, signal } = options;
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
