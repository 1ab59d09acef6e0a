import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { timeOfRun } from './time-of-run.ts';

const zero = Date.parse('2026-11-19T10:00:00Z');
const at = (ms: number) => new Date(zero + ms).toISOString();
const kinds = ['model', 'tool', 'wait', 'node', 'run', 'guardrail'] as const;
const step = (kind: (typeof kinds)[number], start: number, ms: number) => ({ kind, started_at: at(start), ms });
const runOf = (started: number, finished: number | null, status = 'completed') => ({
  ...{ status, created_at: at(0), started_at: at(started), finished_at: finished === null ? null : at(finished) },
});

test('names the time before, between and after the steps of a run', () => {
  const { ms, parts, gaps } = timeOfRun(runOf(100, 1000), [step('model', 150, 300), step('tool', 500, 200)]);
  assert.equal(ms, 1000);
  assert.deepEqual(gaps, [
    { phase: 'queued', started_at: at(0), ms: 100 },
    { phase: 'preparing', started_at: at(100), ms: 50 },
    { phase: 'between', started_at: at(450), ms: 50 },
    { phase: 'finishing', started_at: at(700), ms: 300 },
  ]);
  assert.deepEqual(Object.fromEntries(parts.map(({ what, ms: part }) => [what, part])), {
    ...{ queued: 100, preparing: 50, model: 300, between: 50, tool: 200, finishing: 300 },
  });
});

test('counts time of several steps once, for the innermost of them', () => {
  const steps = [step('tool', 0, 100), step('model', 20, 30), step('tool', 50, 100), step('wait', 60, 10)];
  const { parts, gaps } = timeOfRun(runOf(0, 150), steps);
  assert.deepEqual(gaps, []);
  assert.deepEqual(Object.fromEntries(parts.map(({ what, ms }) => [what, ms])), { tool: 110, model: 30, wait: 10 });
});

test('counts a run that waits for a slot, or that goes on, up to now', () => {
  const queued = timeOfRun(runOf(0, null, 'queued'), [], zero + 80);
  assert.deepEqual([queued.ms, queued.parts], [80, [{ what: 'queued', ms: 80 }]]);
  const running = timeOfRun(runOf(0, null, 'running'), [step('model', 10, 20)], zero + 90);
  assert.deepEqual(
    running.gaps.map(({ phase, ms }) => [phase, ms]),
    [
      ['preparing', 10],
      ['between', 60],
    ],
  );
});

test('gives parts that add up to the whole for any steps', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.integer({ min: -50, max: 300 }), fc.nat(200)));
  fc.assert(
    fc.property(steps, fc.nat(60), fc.nat(250), (list, started, more) => {
      const own = list.map(([kind, start, ms]) => step(kind, start, ms));
      const { ms, parts, gaps } = timeOfRun(runOf(started, started + more), own);
      assert.equal(ms, started + more);
      assert.equal(
        parts.reduce((sum, part) => sum + part.ms, 0),
        ms,
      );
      // No step runs in a gap.
      for (const gap of gaps)
        for (const { started_at, ms: length } of own) {
          const [from, to] = [Date.parse(gap.started_at), Date.parse(gap.started_at) + gap.ms];
          const [start, end] = [Date.parse(started_at), Date.parse(started_at) + length];
          assert.ok(gap.phase === 'queued' || length === 0 || end <= from || start >= to);
        }
    }),
  );
});
