// `npm test` and the slower suites: test files in processes, reported as node's own runner would. CONTRIBUTING.md says what
// that asks of them. FLAKY_TESTS names a file: test files that fail are then run once more, alone, and listed there if they pass.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { batchesOf, testFiles } from './runner/batches.ts';
import { runSuite } from './runner/run-suite.ts';

/** Each process waits for two thirds of its time, for PostgreSQL or for a child: four keep two cores busy. */
const concurrency = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Runs each file in its own process, sequentially. */
    'one-by-one': { type: 'boolean', default: false },
    /** The tests need no PostgreSQL. */
    'no-database': { type: 'boolean', default: false },
    /** How long a file may take: the slowest of `npm test` takes a fortieth of it on two cores that do nothing else. */
    'limit-seconds': { type: 'string', default: '600' },
  },
});

/** Whether the type of every row that a test read has the columns that PostgreSQL returned. */
async function reportRowTypes(folder: string): Promise<boolean> {
  const { checkRowTypes } = await import('./row-types/check-rows.ts');
  const { checked, unseen, mismatches } = await checkRowTypes(folder);
  console.log(`row types: ${checked} queries checked, ${unseen.length} not run, ${mismatches.length} mismatches`);
  for (const line of mismatches) console.log(`  ${line}`);
  return mismatches.length === 0;
}

// Exit with an error unless the test run completes and resets this.
process.exitCode = 1;
const files = testFiles(positionals);
if (files.length === 0) throw new Error('There are no such test files');
const batches = values['one-by-one'] ? files.map((file) => [file]) : batchesOf(files);

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopped.abort());

// It reads the whole program, which takes seconds.
const database = values['no-database'] ? undefined : await import('./global-setup.ts');
await database?.globalSetup();
// Only a whole run has run nearly all statements.
const rows = database && positionals.length === 0 ? mkdtempSync(join(tmpdir(), 'atrium-rows-')) : undefined;
if (rows) process.env['ROW_TYPES_FOLDER'] = rows;
try {
  const passed = await runSuite(batches, {
    concurrency: values['one-by-one'] ? 1 : concurrency,
    limit_ms: Number(values['limit-seconds']) * 1000,
    signal: stopped.signal,
    flakyList: process.env['FLAKY_TESTS'],
  });
  process.exitCode = passed && (!rows || (await reportRowTypes(rows))) ? 0 : 1;
} finally {
  if (rows) rmSync(rows, { recursive: true, force: true });
  await database?.globalTeardown();
}
