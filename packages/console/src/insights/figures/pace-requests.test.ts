import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeTurn } from './pace-requests.ts';

test('starts at most four requests in any second, in the order of asking', async () => {
  const started: [number, number][] = [];
  await Promise.all(
    Array.from({ length: 9 }, async (_, index) => {
      await takeTurn();
      started.push([index, Date.now()]);
    }),
  );
  assert.deepEqual(
    started.map(([index]) => index),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
  );
  for (let index = 4; index < started.length; index++) {
    const gap = (started[index]?.[1] ?? 0) - (started[index - 4]?.[1] ?? 0);
    assert.ok(gap >= 990, `${gap} ms between five requests`);
  }
});
