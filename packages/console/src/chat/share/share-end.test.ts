import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, endOfDay } from './share-end.ts';

test('keeps the day of a link when it is shown and saved again', () => {
  assert.equal(dayOf(endOfDay('2099-03-01')), '2099-03-01');
  assert.equal(dayOf(null), '');
});

test('ends a link at the end of its day', () => {
  const end = new Date(endOfDay('2099-12-31'));
  assert.deepEqual([end.getHours(), end.getMinutes(), end.getDate()], [23, 59, 31]);
});
