import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFailedTries } from './failed-tries.ts';
import { makeTimeWindows } from './time-windows.ts';
import { makeTokenBuckets } from './token-buckets.ts';
import { makeWrongKeys } from './wrong-keys.ts';

/** A clock that the test moves. */
function makeClock() {
  let now = 1_000_000;
  return {
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a bucket is full at first, loses a token with each call and refills evenly up to its limit', () => {
  const { now, pass } = makeClock();
  const take = makeTokenBuckets(now);
  assert.deepEqual([take('a', 4, 1000), take('a', 4, 1000), take('b', 4, 1000)], [4, 3, 4]);
  pass(250);
  assert.equal(take('a', 4, 1000), 3, 'one of four came back in a quarter of the time');
  pass(10_000);
  assert.equal(take('a', 4, 1000), 4);
});

test('a bucket without a whole token keeps what it has', () => {
  const { now, pass } = makeClock();
  const take = makeTokenBuckets(now);
  take('a', 1, 1000);
  assert.equal(take('a', 1, 1000), 0);
  pass(500);
  assert.equal(take('a', 1, 1000), 0.5);
  pass(500);
  assert.equal(take('a', 1, 1000), 1);
});

test('a window counts up to its number and says how long the next has to wait', () => {
  const { now, pass } = makeClock();
  const count = makeTimeWindows(now);
  assert.deepEqual([count('a', 2, 1000), count('a', 2, 1000)], [0, 0]);
  pass(400);
  assert.equal(count('a', 2, 1000), 600);
  assert.equal(count('b', 2, 1000), 0);
  pass(600);
  assert.deepEqual([count('a', 2, 1000), count('a', 2, 1000), count('a', 2, 1000)], [0, 0, 1000]);
});

test('unknown keys wait for their turn only after too many wrong ones from their network', () => {
  const { now, pass } = makeClock();
  const { count, takeTurn } = makeWrongKeys(now);
  assert.equal(takeTurn('n', 2), 0);
  assert.equal(count('n'), 1);
  assert.equal(takeTurn('n', 2), 0);
  assert.equal(count('n'), 2);
  assert.deepEqual([takeTurn('n', 2), takeTurn('n', 2), takeTurn('n', 2)], [0, 250, 500]);
  assert.equal(takeTurn('m', 2), 0, 'another network');
  for (let turn = 3; turn < 20; turn++) assert.equal(takeTurn('n', 2), turn * 250);
  assert.equal(takeTurn('n', 2), -2, 'too many wait');
  pass(600_000);
  assert.deepEqual([takeTurn('n', 2), count('n')], [0, 1], 'all is forgotten');
});

test('tries that fail wait longer each time, until one is forgotten', () => {
  const { now, pass } = makeClock();
  const { count, forget } = makeFailedTries(now);
  const waits = () => Array.from({ length: 5 }, () => count('a'));
  assert.deepEqual(waits(), [0, 0, 0, 0, 0]);
  assert.equal(count('a'), 1000);
  pass(1000);
  assert.deepEqual([count('a'), count('a')], [0, 2000]);
  assert.equal(count('b'), 0);
  forget('a');
  assert.deepEqual(waits(), [0, 0, 0, 0, 0]);
});
