import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { batchesOf } from '../runner/batches.ts';
import { applyChange, findMutants, type Mutant } from './find-mutants.ts';
import type { Outcome } from './results.ts';
import { type FilesRun, runFiles } from './run-files.ts';
import type { Scratch } from './scratch.ts';

/** For all tests of a mutant. */
const minute_ms = 60_000;

/** A test file that takes so many times longer than without the mutant hangs; less may be a busy machine. */
const hanging = 2.5;

/** How long each test file takes when it passes; undefined for those that fail without a mutant. */
export type Baseline = Map<string, number | undefined>;

/** Groups files as `npm test` does, in the given order: files that need a process of their own come after the rest. */
function groupFiles(root: string, files: readonly string[]): string[][] {
  const paths = files.map((file) => join(root, file));
  const batches = batchesOf(paths).map((batch) => batch.toSorted((a, b) => paths.indexOf(a) - paths.indexOf(b)));
  return batches.map((batch) => batch.map((path) => path.slice(root.length + 1)));
}

/** Whether a file passes without a mutant, and in what time. A file that passed with one does so without. */
async function measure(scratch: Scratch, file: string, baseline: Baseline): Promise<number | undefined> {
  if (!baseline.has(file)) baseline.set(file, (await runFiles(scratch, [file], minute_ms)).passed.get(file));
  return baseline.get(file);
}

interface TestsRun extends FilesRun {
  /** The file that failed or ran when the time was over, and how long it had run. */
  stopped?: { file: string; after_ms: number };
}

async function runTests(scratch: Scratch, files: readonly string[], baseline: Baseline): Promise<TestsRun> {
  const until = Date.now() + minute_ms;
  const all: TestsRun = { passed: new Map(), timedOut: false };
  for (const group of groupFiles(scratch.root, files)) {
    const began = Date.now();
    const run = await runFiles(scratch, group, until - began);
    let total = 0;
    for (const [file, took_ms] of run.passed) {
      total += took_ms;
      all.passed.set(file, took_ms);
      if (!baseline.has(file)) baseline.set(file, took_ms);
    }
    const stopped = group.find((file) => !run.passed.has(file));
    if (stopped) return { ...all, ...run, stopped: { file: stopped, after_ms: Date.now() - began - total } };
  }
  return all;
}

type Judgement = Pick<Outcome, 'verdict' | 'by' | 'message' | 'tests'>;

/** Runs tests against the mutant. Tests that fail without it, or are too dear for the minute, are left out. */
async function judge(scratch: Scratch, tests: readonly string[], baseline: Baseline, undo: Undo): Promise<Judgement> {
  const usable = tests.filter((test) => !baseline.has(test) || baseline.get(test) !== undefined);
  const { stopped, failure, timedOut, passed } = await runTests(scratch, usable, baseline);
  if (!stopped) return { verdict: 'survived', tests: passed.size };
  const usual_ms = await undo(() => measure(scratch, stopped.file, baseline));
  if (timedOut && usual_ms !== undefined) {
    const hangs = stopped.after_ms > hanging * usual_ms;
    // Without a single test that ended, a busy machine has decided.
    const verdict = hangs ? 'timed out' : passed.size > 0 ? 'survived' : 'undecided';
    return { verdict, by: stopped.file, tests: passed.size };
  }
  // It fails without the mutant as well: what the others say counts.
  if (usual_ms === undefined) return judge(scratch, usable, baseline, undo);
  return { verdict: 'killed', by: failure?.test ?? '', message: failure?.message ?? '', tests: passed.size };
}

type Undo = <T>(work: () => Promise<T>) => Promise<T>;

/** Applies a mutant to the copy, runs these tests until one fails, and puts the file back. */
export async function judgeMutant(
  scratch: Scratch,
  mutant: Mutant,
  tests: readonly string[],
  baseline: Baseline,
): Promise<Outcome> {
  const { id, file } = mutant;
  const path = join(scratch.root, file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const found = findMutants(file, source).find((one) => one.id === id);
  const began = Date.now();
  if (!found) return { id, verdict: 'gone', tests: 0, took_ms: 0 };
  const apply = () => writeFileSync(path, applyChange(source, found));
  const undo: Undo = async (work) => {
    writeFileSync(path, source);
    const result = await work();
    apply();
    return result;
  };
  apply();
  try {
    return { id, ...(await judge(scratch, tests, baseline, undo)), took_ms: Date.now() - began };
  } finally {
    writeFileSync(path, source);
  }
}
