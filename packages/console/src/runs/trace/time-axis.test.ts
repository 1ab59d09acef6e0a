import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickMoments, sayTick } from './time-axis.ts';

test('picks few round moments for every length of a run', () => {
  assert.deepEqual(pickMoments(14_200, 7), [0, 5000, 10_000]);
  assert.deepEqual(pickMoments(60), [0, 10, 20, 30, 40, 50, 60]);
  for (const end of [1, 99, 2500, 61_000, 3_700_000, 90_000_000, 90_000_000_000]) {
    const moments = pickMoments(end);
    assert.ok(moments.length >= 1 && moments.length <= 7, `${end}: ${moments.length}`);
    assert.ok((moments.at(-1) ?? 0) <= end);
  }
});

test('says moments in the unit that fits', () => {
  assert.deepEqual([0, 50, 500, 2000, 120_000].map(sayTick), ['0 s', '50 ms', '0.5 s', '2 s', '2 min']);
});
