import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastOf } from './forecast.ts';

const month = { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' };
const at = (day: number) => Date.UTC(2026, 10, day);

test('goes on as the period has begun when a budget is half over', () => {
  const { used, more, end, overAt } = forecastOf({ ...month, used: 150, most: 400 }, at(16));
  assert.deepEqual([used, more, end, overAt], [0.375, 0.375, 300, undefined]);
});

test('names the day when a budget ends before its period', () => {
  const { more, overAt } = forecastOf({ ...month, used: 75, most: 100 }, at(16));
  assert.equal(more, 0.25);
  assert.equal(overAt, at(21));
});

test('says nothing of the end when the period has just begun or the budget is used up', () => {
  assert.equal(forecastOf({ ...month, used: 5, most: 100 }, at(1) + 60_000).end, 5);
  const over = forecastOf({ ...month, used: 120, most: 100 }, at(16));
  assert.deepEqual([over.used, over.more, over.overAt], [1, 0, undefined]);
  assert.equal(forecastOf({ ...month, used: 0, most: 0 }, at(16)).used, 1);
});
