import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRestartPolicy } from './restart-policy.ts';

test('starts a process at once that has lived, later one that fails at its start, and gives up at the fifth failure', () => {
  const pauseAfter = makeRestartPolicy();
  assert.equal(pauseAfter(60_000), 0);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => pauseAfter(100)),
    [200, 400, 800, 1600],
  );
  assert.equal(pauseAfter(60_000), 0);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => pauseAfter(100)),
    [200, 400, 800, 1600, undefined],
  );
});

test('counts no failure while the database is away', () => {
  const pauseAfter = makeRestartPolicy();
  assert.equal(pauseAfter(100), 200);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(() => pauseAfter(100, true)),
    Array(6).fill(10_000),
  );
  assert.equal(pauseAfter(100), 400);
});
