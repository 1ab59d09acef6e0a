// `npm test` and the slower suites: test files in processes, reported as node's own runner would. CONTRIBUTING.md says what
// that asks of them. FLAKY_TESTS names a file: test files that fail are then run once more, alone, and listed there if they pass.
import { mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { batchesOf, splitByMachine, testFiles } from './runner/batches.ts';
import { readTimes, recordTimes } from './runner/recorded-times.ts';
import { reportTimes, secondsOfProcess } from './runner/report-times.ts';
import { runSuite, type SuiteOptions } from './runner/run-suite.ts';
import { builtProgram } from './support/built-program.ts';
import { testPostmaster } from './support/test-database.ts';

/** Each process waits for two thirds of its time, for PostgreSQL or for a child: four keep two cores busy. */
const concurrency = 4;

/** To bundle the tests and the program takes as long as three processes take to read them. */
const bundledFrom = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Runs what `npm test` leaves out: the files that end in `.deep.test.ts`. */
    deep: { type: 'boolean', default: false },
    /** Runs the files that import, at whatever distance, what differs from the last commit. */
    changed: { type: 'boolean', default: false },
    /** Runs each file in its own process, `at-once` of them at a time; those that want the machine for themselves last. */
    'one-by-one': { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '1' },
    /** The tests need no PostgreSQL. */
    'no-database': { type: 'boolean', default: false },
    /** How long a file may take: the slowest of `npm test` takes a fortieth of it on two cores that do nothing else. */
    'limit-seconds': { type: 'string', default: '600' },
    /** Runs the tests from a bundle, as a run of many files does by itself. */
    bundled: { type: 'boolean', default: false },
    /** Writes what files have taken to the list that batches are balanced by. */
    'record-times': { type: 'boolean', default: false },
  },
});

async function chooseFiles(): Promise<string[]> {
  const files = testFiles(positionals, values.deep ? 'deep' : 'quick');
  if (!values.changed) return files;
  const { changedFiles, testsReaching } = await import('./runner/changed-tests.ts');
  return testsReaching(changedFiles(), files);
}

/** Whether the type of every row that a test read has the columns that PostgreSQL returned. */
async function reportRowTypes(folder: string): Promise<boolean> {
  const { checkRowTypes } = await import('./row-types/check-rows.ts');
  const { checked, unseen, mismatches } = await checkRowTypes(folder);
  console.log(`row types: ${checked} queries checked, ${unseen.length} not run, ${mismatches.length} mismatches`);
  for (const line of mismatches) console.log(`  ${line}`);
  if (checked === 0) console.log('  nothing was recorded');
  return checked > 0 && mismatches.length === 0;
}

/** A process for each file. All files run, also when some of the first have failed. */
async function runOneByOne(files: string[], atOnce: number, options: Omit<SuiteOptions, 'concurrency'>) {
  const { together, alone } = atOnce > 1 ? splitByMachine(files) : { together: [], alone: files };
  const groups = [
    { files: together, concurrency: atOnce },
    { files: alone, concurrency: 1 },
  ].filter((group) => group.files.length > 0);
  let passed = true;
  for (const { files, concurrency } of groups) {
    const batches = files.map((file) => [file]);
    passed = (await runSuite(batches, { ...options, concurrency })) && passed;
  }
  return passed;
}

// Each process of tests reads the program: compiled once, that takes half the time.
const compiled = resolve('node_modules/.cache/compiled');
process.env['NODE_COMPILE_CACHE'] ??= compiled;
enableCompileCache(compiled);

// Exit with an error unless the test run completes and resets this.
process.exitCode = 1;
const files = await chooseFiles();
if (files.length === 0 && !values.changed) throw new Error('There are no such test files');
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopped.abort());

// Before there are processes that would each do it.
builtProgram();
const isWhole = positionals.length === 0 && !values.changed;
const dir = mkdtempSync(join(tmpdir(), 'atrium-tests-'));
const times = join(dir, 'times');
const bundle =
  values.bundled || (files.length >= bundledFrom && !values['one-by-one'])
    ? await (await import('./runner/bundle-tests.ts')).bundleTests(files)
    : undefined;
// It reads the whole program, which takes seconds.
const database = values['no-database'] ? undefined : await import('./global-setup.ts');
await database?.globalSetup();
// Only a whole run has run nearly all statements.
const rows = database && isWhole ? join(dir, 'rows') : undefined;
if (rows) process.env['ROW_TYPES_FOLDER'] = rows;
try {
  const options = {
    limit_ms: Number(values['limit-seconds']) * 1000,
    signal: stopped.signal,
    flakyList: process.env['FLAKY_TESTS'],
    times,
    bundle,
  };
  const passed = values['one-by-one']
    ? await runOneByOne(files, Number(values['at-once']), options)
    : await runSuite(batchesOf(files), { ...options, concurrency });
  process.exitCode = passed && (!rows || (await reportRowTypes(rows))) ? 0 : 1;
} finally {
  const postgres = database && secondsOfProcess(testPostmaster());
  await database?.globalTeardown();
  const taken = readTimes(times);
  reportTimes(taken, postgres);
  if (values['record-times']) recordTimes(taken);
  for (const own of [dir, bundle]) if (own) rmSync(own, { recursive: true, force: true });
}
