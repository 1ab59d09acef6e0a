import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeZone } from '../../lib/time.ts';
import { rangeBefore, rangeOf } from './range.ts';

const now = Date.parse('2026-11-15T10:20:30.000Z');

test('is the last 30 days up to the next hour unless the address names another time', () => {
  assert.deepEqual(rangeOf({}, now), { start: '2026-10-16T11:00:00.000Z', end: '2026-11-15T11:00:00.000Z', days: 30 });
  assert.equal(rangeOf({ days: 7 }, now).start, '2026-11-08T11:00:00.000Z');
});

test('has both days of the address whole, and never ends after now', () => {
  const { start, end, days } = rangeOf({ from: '2026-11-02', to: '2026-11-04' }, now);
  assert.equal(Date.parse(end) - Date.parse(start), 3 * 86_400_000);
  assert.equal(days, 3);
  assert.equal(rangeOf({ from: '2026-11-14', to: '2026-12-31' }, now).end, '2026-11-15T11:00:00.000Z');
});

test('turns a range round that ends before it begins', () => {
  assert.deepEqual(
    rangeOf({ from: '2026-11-04', to: '2026-11-02' }, now),
    rangeOf({ from: '2026-11-02', to: '2026-11-04' }, now),
  );
});

test('is followed by the range before without a gap', () => {
  const range = rangeOf({ days: 7 }, now);
  const before = rangeBefore(range);
  assert.equal(before.end, range.start);
  assert.equal(Date.parse(before.end) - Date.parse(before.start), 7 * 86_400_000);
});

test('has days of 23 and 25 hours whole when the clocks are changed', (context) => {
  setTimeZone('Europe/Berlin');
  context.after(() => setTimeZone(undefined));
  const [autumn, spring] = [
    rangeOf({ from: '2026-10-25', to: '2026-10-25' }, now),
    rangeOf({ from: '2026-03-29', to: '2026-03-29' }, now),
  ];
  assert.deepEqual([autumn.start, autumn.end], ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  assert.deepEqual([spring.start, spring.end], ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
});
