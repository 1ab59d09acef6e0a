import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickTicks } from './series.ts';

test('labels every point of the axis when there is room for all', () => {
  assert.deepEqual(pickTicks(4, 600), [0, 1, 2, 3]);
  assert.deepEqual(pickTicks(0, 600), []);
});

test('keeps the first and the last label, never two close to each other, when there is no room for all', () => {
  for (const count of [7, 30, 31, 90, 168]) {
    const ticks = pickTicks(count, 660);
    assert.deepEqual([ticks[0], ticks.at(-1)], [0, count - 1]);
    assert.ok(ticks.length <= 7, `${count}: ${ticks}`);
    const gaps = ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0));
    assert.ok(Math.min(...gaps) * 2 >= Math.max(...gaps), `${count}: ${ticks}`);
  }
});
