import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconnectDelay, secondsUntil } from './reconnect-delay.ts';

test('waits longer before each attempt, up to 15 seconds', () => {
  assert.deepEqual(
    [0, 1, 2, 9, 40].map((attempt) => reconnectDelay(attempt, 1)),
    [500, 1000, 2000, 15_000, 15_000],
  );
  assert.ok(reconnectDelay(9, 0) < reconnectDelay(9, 1));
});

test('counts down in whole seconds and never to nothing', () => {
  assert.deepEqual([secondsUntil(5400, 1000), secondsUntil(1100, 1000), secondsUntil(0, 1000)], [5, 1, 1]);
});
