import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupByDay } from './group-by-day.ts';

const now = new Date(2026, 10, 16, 10, 30);
const at = (daysAgo: number, hour: number, pinned = false) => ({
  pinned,
  last_updated_at: new Date(2026, 10, 16 - daysAgo, hour).toISOString(),
});

test('groups conversations by the day of the person, pinned ones first', () => {
  const list = [at(0, 10), at(0, 1), at(1, 23), at(3, 9), at(20, 9), at(90, 9), at(50, 9, true)];
  assert.deepEqual(
    groupByDay(list, now).map(({ group, items }) => [group, items.length]),
    [
      ['pinned', 1],
      ['today', 2],
      ['yesterday', 1],
      ['week', 1],
      ['month', 1],
      ['older', 1],
    ],
  );
});

test('leaves out groups that have no conversation', () => {
  assert.deepEqual(groupByDay([], now), []);
});

test('a group begins with the midnight of its first day', () => {
  const groupOf = (daysAgo: number, ms: number) => {
    const time = new Date(2026, 10, 16 - daysAgo).getTime() + ms;
    return groupByDay([{ pinned: false, last_updated_at: new Date(time).toISOString() }], now)[0]?.group;
  };
  const starts = [0, 1, 7, 30].map((daysAgo) => [groupOf(daysAgo, -1), groupOf(daysAgo, 0)]);
  assert.deepEqual(starts, [
    ['yesterday', 'today'],
    ['week', 'yesterday'],
    ['month', 'week'],
    ['older', 'month'],
  ]);
});
