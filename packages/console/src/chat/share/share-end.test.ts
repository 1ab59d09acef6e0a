import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfDay } from '../../lib/calendar.ts';
import { inDays, lastDayOf, sayDay } from './share-end.ts';

test('keeps the day of a link when it is shown and saved again', () => {
  assert.equal(lastDayOf(endOfDay('2099-03-01')), '2099-03-01');
  assert.equal(lastDayOf(null), '');
});

test('ends a link at the end of its day', () => {
  const end = new Date(endOfDay('2099-12-31'));
  assert.deepEqual([end.getHours(), end.getMinutes(), end.getDate()], [23, 59, 31]);
});

test('counts days over the end of a month, and says a day in words', () => {
  assert.equal(inDays(30, new Date(2026, 10, 18, 23, 30)), '2026-12-18');
  assert.equal(sayDay('2026-12-18'), '18 December 2026');
});
