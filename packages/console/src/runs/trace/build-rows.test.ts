import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step, Trace } from '../runs.ts';
import { buildRows, foldRows, rootId, waitedMs } from './build-rows.ts';

const at = (ms: number) => new Date(1_700_000_000_000 + ms).toISOString();
const step = (id: string, startMs: number, parent_id: string | null = null, kind = 'tool') =>
  ({ id, kind, started_at: at(startMs), ms: 10, parent_id }) as unknown as Step;
const traceOf = (...steps: Step[]) => ({ created_at: at(0), steps, time: { gaps: [] } }) as unknown as Trace;
const outline = (rows: ReturnType<typeof buildRows>) => rows.map(({ id, depth }) => `${depth}${id}`);

test('puts each step below its parent, siblings by their start, and strangers below the run', () => {
  const rows = buildRows(traceOf(step('late', 90), step('b', 5), step('a', 7, 'b'), step('lost', 50, 'gone')), 100);
  assert.deepEqual(outline(rows), ['0run', '1b', '2a', '1lost', '1late']);
  assert.deepEqual([rows[0]?.below, rows[1]?.below, rows[2]?.below], [4, 1, 0]);
  assert.deepEqual([rows[2]?.startMs, rows[0]?.ms], [7, 100]);
});

test('shows every step once when parents name each other in a circle', () => {
  const rows = buildRows(traceOf(step('a', 1, 'b'), step('b', 2, 'a'), step('c', 3, 'c')), 10);
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), ['a', 'b', 'c', rootId]);
});

test('leaves out what is below folded steps', () => {
  const rows = buildRows(traceOf(step('a', 1), step('b', 2, 'a'), step('c', 3, 'b'), step('d', 4)), 10);
  assert.deepEqual(
    foldRows(rows, new Set(['a'])).map(({ id }) => id),
    [rootId, 'a', 'd'],
  );
  assert.equal(foldRows(rows, new Set([rootId])).length, 1);
});

test('counts waits at the same time once', () => {
  const wait = (id: string, startMs: number, ms: number) => ({ ...step(id, startMs, null, 'wait'), ms }) as Step;
  assert.equal(waitedMs(buildRows(traceOf(wait('a', 0, 100), wait('b', 50, 100), wait('c', 300, 10)), 400)), 160);
});

test('puts times without a step among the steps, but not those too short to be seen', () => {
  const gap = (phase: string, startMs: number, ms: number) => ({ phase, started_at: at(startMs), ms });
  const gaps = [gap('queued', 0, 200), gap('preparing', 200, 9), gap('between', 400, 60), gap('finishing', 900, 100)];
  const steps = [step('a', 209), step('b', 220, 'a'), step('c', 460)];
  const trace = { created_at: at(0), steps, time: { gaps } } as unknown as Trace;
  const rows = buildRows(trace, 1000);
  assert.deepEqual(
    rows.map(({ id, gap: own, depth }) => [own?.phase ?? id, depth]),
    [
      ['run', 0],
      ['queued', 1],
      ['a', 1],
      ['b', 2],
      ['between', 1],
      ['c', 1],
      ['finishing', 1],
    ],
  );
  assert.deepEqual([rows[1]?.startMs, rows[1]?.ms, rows[0]?.below], [0, 200, 6]);
  assert.equal(waitedMs(rows), 200);
  assert.equal(buildRows(trace, 30_000).length, 4, 'a gap of less than a hundredth has no row');
});
