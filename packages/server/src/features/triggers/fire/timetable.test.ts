import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bruteForceSlots } from '../../../../test/support/brute-force-slots.ts';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { timetableOf, timetableTrouble } from '../../../lib/timetable/timetable.ts';
import { slotsDue } from '../catch-up.ts';

const hour = 3_600_000;
const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];

function slotsOf(cron: string, timezone: string, first: number, end: number): number[] {
  const timetable = timetableOf(cron, timezone);
  const slots: number[] = [];
  for (let next = timetable.after(first - 1); next !== undefined && next < end; next = timetable.after(next))
    slots.push(next);
  return slots;
}
const iso = (times: number[]) => times.map((time) => new Date(time).toISOString());

test('fires a fixed time at the jump when clocks are put forward, and once when they are put back', () => {
  const around = (cron: string, timezone: string, day: string) => {
    const at = Date.parse(`${day}T00:00:00Z`);
    return iso(slotsOf(cron, timezone, at - 4 * hour, at + 20 * hour));
  };
  assert.deepEqual(around('30 2 * * *', 'Europe/Berlin', '2026-03-29'), ['2026-03-29T01:00:00.000Z']);
  assert.deepEqual(around('30 2 * * *', 'Europe/Berlin', '2026-10-25'), ['2026-10-25T00:30:00.000Z']);
  assert.deepEqual(around('30 1 * * *', 'America/New_York', '2026-11-01'), ['2026-11-01T05:30:00.000Z']);
  assert.deepEqual(around('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03'), ['2026-10-03T15:30:00.000Z']);
  assert.equal(around('0 * * * *', 'Europe/Berlin', '2026-10-25').length, 24);
});

test('fires every quarter of a repeated hour twice, and none of a skipped hour', () => {
  const quarters = (day: string) =>
    slotsOf('*/15 2 * * *', 'Europe/Berlin', Date.parse(`${day}T00:00:00Z`), Date.parse(`${day}T03:00:00Z`));
  assert.equal(quarters('2026-03-29').length, 0);
  assert.equal(quarters('2026-10-25').length, 8);
  assert.equal(quarters('2026-06-01').length, 4);
});

test('fires a leap day every four years', () => {
  const leap = slotsOf('0 12 29 2 *', 'Asia/Tokyo', Date.UTC(2024, 0, 1), Date.UTC(2033, 0, 1));
  assert.deepEqual(iso(leap), ['2024-02-29T03:00:00.000Z', '2028-02-29T03:00:00.000Z', '2032-02-29T03:00:00.000Z']);
});

test('matches the wall clock of Intl for a year in three zones', () => {
  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])
    for (const cron of ['30 2 * * *', '0 */6 * * 1-5', '15 1,2,3 * 3,4,10,11 *', '0 9 1 * 1', '59 23 28-31 * *'])
      assert.deepEqual(
        iso(slotsOf(cron, timezone, from, to)),
        iso(bruteForceSlots(cron, timezone, from, to)),
        `${cron} ${timezone}`,
      );
});

test('reads names, both numbers of Sunday, and short forms', () => {
  const pairs = [
    ['0 9 * * 7', '0 9 * * 0'],
    ['0 9 * * 5-7', '0 9 * * 0,5,6'],
    ['0 9 * * mon-FRI', '0 9 * * 1-5'],
    ['0 9 * JAN,dec SUN', '0 9 * 1,12 0'],
    ['0 9 ? * 3', '0 9 * * 3'],
    ['@hourly', '0 * * * *'],
    ['@daily', '0 0 * * *'],
    ['@weekly', '0 0 * * 0'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 1 *'],
  ] as const;
  for (const [short, long] of pairs) {
    const slots = (cron: string) => slotsOf(cron, 'Europe/Berlin', from - 24 * hour, from + 40 * 24 * hour);
    assert.ok(slots(long).length > 0);
    assert.deepEqual(slots(short), slots(long), short);
  }
});

const number = (low: number, high: number) => fc.integer({ min: low, max: high }).map(String);
const range = (low: number, high: number) =>
  fc
    .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }))
    .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
const field = (low: number, high: number) =>
  fc.oneof(
    fc.constant('*'),
    number(low, high),
    range(low, high),
    fc.integer({ min: 2, max: high }).map((step) => `*/${step}`),
    fc.array(number(low, high), { minLength: 2, maxLength: 3 }).map((values) => values.join(',')),
  );
const zones = [
  'UTC',
  'Europe/London',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'America/Santiago',
  'Africa/Cairo',
];

test('matches the wall clock for any expression in any zone around any clock change', () => {
  const expression = fc
    .tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6))
    .map((all) => all.join(' '));
  const day = fc.integer({ min: 0, max: 365 });
  fc.assert(
    fc.property(expression, fc.constantFrom(...zones), day, (cron, timezone, start) => {
      const first = from + start * 24 * hour;
      const end = first + 10 * 24 * hour;
      assert.deepEqual(iso(slotsOf(cron, timezone, first, end)), iso(bruteForceSlots(cron, timezone, first, end)));
    }),
    { numRuns: 60 },
  );
});

test('the next slot after the last one before a moment comes after that moment', () => {
  const expression = fc
    .tuple(field(0, 59), field(0, 23), field(1, 28), fc.constant('*'), field(0, 6))
    .map((all) => all.join(' '));
  const moment = fc.integer({ min: 0, max: 365 * 24 * 60 }).map((minutes) => from + minutes * 60_000);
  fc.assert(
    fc.property(expression, fc.constantFrom(...zones), moment, (cron, timezone, now) => {
      const timetable = timetableOf(cron, timezone);
      const latest = timetable.latest(now) as number;
      assert.ok(latest <= now);
      assert.equal(timetable.after(latest - 1), latest);
      assert.ok((timetable.after(latest) ?? Number.POSITIVE_INFINITY) > now);
    }),
    { numRuns: 100 },
  );
});

test('skips missed slots, fires once for them, or fires all of them', () => {
  const timetable = timetableOf('0 * * * *', 'UTC');
  const [first, now] = [Date.UTC(2026, 5, 1, 8), Date.UTC(2026, 5, 1, 12, 30)];
  const at = (hours: number) => Date.UTC(2026, 5, 1, hours);
  assert.deepEqual(slotsDue(timetable, first, now, 'skip'), { slots: [], next: at(13) });
  assert.deepEqual(slotsDue(timetable, first, now, 'once'), { slots: [at(12)], next: at(13) });
  assert.deepEqual(slotsDue(timetable, first, now, 'all'), {
    slots: [at(8), at(9), at(10), at(11), at(12)],
    next: at(13),
  });
  for (const catch_up of ['skip', 'once', 'all'] as const)
    assert.deepEqual(slotsDue(timetable, first, first + 500, catch_up), { slots: [first], next: at(9) });
  const many = slotsDue(timetable, first, first + 1000 * hour, 'all');
  assert.equal(many.slots.length, 100);
  assert.equal(many.next, first + 100 * hour);
});

test('reports an invalid schedule quickly and without throwing', () => {
  const started = cpuTime();
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 20 }), (cron, timezone) => {
      const trouble = timetableTrouble(cron, timezone);
      if (trouble === undefined) timetableOf(cron, timezone).after(from);
    }),
    { numRuns: 300 },
  );
  for (const cron of [
    '0 0 30 2 *',
    '0 0 31 4 *',
    '* * * * 8',
    '60 * * * *',
    '* 24 * * *',
    '*/0 * * * *',
    '5-1 * * * *',
  ])
    assert.equal(timetableTrouble(cron, 'UTC')?.at, 'cron', cron);
  assert.ok(cpuTime() - started < 10_000);
});
