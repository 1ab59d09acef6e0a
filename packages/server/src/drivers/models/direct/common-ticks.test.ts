import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTicks } from './common-ticks.ts';

function makeClock() {
  let time = 1000;
  let due: { at: number; work: () => void }[] = [];
  return {
    now: () => time,
    later: (work: () => void, wait_ms: number) => void due.push({ at: time + wait_ms, work }),
    pass(ms: number) {
      time += ms;
      const over = due.filter(({ at }) => at <= time);
      due = due.filter(({ at }) => at > time);
      for (const { work } of over) work();
    },
  };
}

test('calls at once when there was no tick lately, and all that come then at one later tick', () => {
  const clock = makeClock();
  const atTick = makeTicks(clock);
  const calls: string[] = [];
  atTick(() => calls.push('first'));
  assert.deepEqual(calls, ['first']);
  clock.pass(5);
  atTick(() => calls.push('second'));
  clock.pass(5);
  atTick(() => calls.push('third'));
  clock.pass(9);
  assert.deepEqual(calls, ['first']);
  clock.pass(1);
  assert.deepEqual(calls, ['first', 'second', 'third']);
  clock.pass(20);
  atTick(() => calls.push('fourth'));
  assert.equal(calls.at(-1), 'fourth');
});

test('takes what comes during a tick to the next one', () => {
  const clock = makeClock();
  const atTick = makeTicks(clock);
  const calls: string[] = [];
  atTick(() => {
    calls.push('outer');
    atTick(() => calls.push('inner'));
  });
  assert.deepEqual(calls, ['outer']);
  clock.pass(20);
  assert.deepEqual(calls, ['outer', 'inner']);
});

test('asks for one later tick however many wait, and waits for the last millisecond', () => {
  const clock = makeClock();
  const waits: number[] = [];
  const later = (work: () => void, wait_ms: number) => {
    waits.push(wait_ms);
    clock.later(work, wait_ms);
  };
  const atTick = makeTicks({ now: clock.now, later });
  const calls: number[] = [];
  atTick(() => calls.push(0));
  clock.pass(19);
  for (const number of [1, 2, 3]) atTick(() => calls.push(number));
  assert.deepEqual([waits, calls], [[1], [0]]);
  clock.pass(1);
  assert.deepEqual(calls, [0, 1, 2, 3]);
});
