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
