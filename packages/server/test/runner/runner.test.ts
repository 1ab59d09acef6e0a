import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { batchesOf, testFiles } from './batches.ts';
import { flattenFileEvents } from './report.ts';

const ended = (type: 'test:pass' | 'test:fail', name: string, nesting: number, failureType?: string) => [
  { type: 'test:start', data: { name, nesting } },
  { type, data: { name, nesting, details: { error: failureType && { failureType } } } },
];
const figures = (tests: number, pass: number, fail: number) => [
  ...Object.entries({ tests, pass, fail }).map(([figure, number]) => ({
    type: 'test:diagnostic',
    data: { nesting: 0, message: `${figure} ${number}` },
  })),
  { type: 'test:summary', data: { success: fail === 0 } },
];

/** Returns the report for these node events: the result of each test, the totals, and the overall success. */
async function reported(batches: string[][], events: unknown[]) {
  const told: unknown[] = [];
  const source = async function* () {
    yield* events as TestEvent[];
  };
  for await (const { type, data } of flattenFileEvents(batches)(source())) {
    if (type === 'test:pass' || type === 'test:fail') told.push([type.slice(5), data.nesting, data.name]);
    if (type === 'test:diagnostic') told.push(data.message);
    if (type === 'test:summary') told.push(data.success);
  }
  return told;
}

test('reports the tests of a file and not the file', async () => {
  const events = [
    ...[...ended('test:pass', 'inner', 2), ...ended('test:pass', 'outer', 1), ...ended('test:pass', 'a', 0)],
    ...[...ended('test:pass', 'other', 1), ...ended('test:pass', 'b', 0)],
    ...figures(5, 5, 0),
  ];
  const shown = [
    ['pass', 1, 'inner'],
    ['pass', 0, 'outer'],
    ['pass', 0, 'other'],
  ];
  assert.deepEqual(await reported([['a'], ['b']], events), [...shown, 'tests 3', 'pass 3', 'fail 0', true]);
});

test('a test that fails is a failure once, and so is a file that fails by itself', async () => {
  const events = [
    ...[...ended('test:fail', 'wrong', 1, 'testCodeFailure'), ...ended('test:fail', 'a', 0, 'subtestsFailed')],
    ...[...ended('test:pass', 'right', 1), ...ended('test:fail', 'b', 0, 'hookFailed')],
    ...figures(4, 1, 3),
  ];
  const shown = [
    ['fail', 0, 'wrong'],
    ['pass', 0, 'right'],
    ['fail', 0, 'b'],
  ];
  assert.deepEqual(await reported([['a', 'b']], events), [...shown, 'tests 3', 'pass 1', 'fail 2', false]);
});

test('a file without tests, and files whose process ended, are failures', async () => {
  const events = [...ended('test:pass', 'empty', 0), ...ended('test:pass', 'begun', 1), ...figures(2, 2, 0)];
  const shown = [
    ['fail', 0, 'empty'],
    ['pass', 0, 'begun'],
    ['fail', 0, 'ends the process'],
    ['fail', 0, 'never run'],
  ];
  const files = ['empty', 'ends the process', 'never run'];
  assert.deepEqual(await reported([files], events), [...shown, 'tests 4', 'pass 1', 'fail 3', false]);
});

test('puts every test file in one batch, and alone when it measures memory or changes its process', () => {
  const files = [...testFiles([]), ...testFiles([], 'deep')];
  const batches = batchesOf(files);
  assert.deepEqual(batches.flat().sort(), [...files].sort());
  assert.ok(batches.length < files.length / 5, `${batches.length} processes`);
  for (const name of ['features/files/memory', 'features/runs/endpoints/endings', 'lib/ids'])
    assert.ok(
      batches.some((batch) => batch.join().startsWith(`packages/server/src/${name}.`) && batch.length === 1),
      name,
    );
});

test('lets files of one kind share a process, and none of another kind with them', () => {
  const batches = batchesOf(testFiles([]));
  const movers = batches.filter((batch) => batch.some((file) => /\bmock\.timers\b/.test(readFileSync(file, 'utf8'))));
  assert.ok(movers.some((batch) => batch.length > 1));
  for (const file of movers.flat())
    assert.match(readFileSync(file, 'utf8'), /\bmock\.timers\b|\bprocess\.|Alone in/, file);
});

test('runs each test file in one of two groups, and at least one of every feature and driver in the quick one', () => {
  const [quick, deep] = [testFiles([]), testFiles([], 'deep')];
  assert.deepEqual(
    quick.filter((file) => deep.includes(file)),
    [],
  );
  const areaOf = (file: string) => /^packages\/server\/src\/(?:features|drivers)\/[^/]+/.exec(file)?.[0];
  const areas = new Set(quick.map(areaOf));
  assert.deepEqual(
    deep.map(areaOf).filter((area) => !areas.has(area)),
    [],
  );
});
