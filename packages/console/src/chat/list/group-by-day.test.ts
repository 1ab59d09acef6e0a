import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupByDay } from './group-by-day.ts';

const chat = (last_updated_at: string, pinned = false) => ({ pinned, last_updated_at });
/** The group of each time, as seen at `now` in a zone. */
const groupsAt = (now: string, zone: string, times: readonly string[]) =>
  times.map((time) => groupByDay([chat(time)], new Date(now), zone)[0]?.group);

test('groups conversations by the day of the person, pinned ones first', () => {
  const list = [
    ...[chat('2026-11-16T10:00:00Z'), chat('2026-11-16T01:00:00Z'), chat('2026-11-15T23:00:00Z')],
    ...[chat('2026-11-13T09:00:00Z'), chat('2026-10-27T09:00:00Z'), chat('2026-08-18T09:00:00Z')],
    chat('2026-09-27T09:00:00Z', true),
  ];
  assert.deepEqual(
    groupByDay(list, new Date('2026-11-16T10:30:00Z'), 'UTC').map(({ group, items }) => [group, items.length]),
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
  assert.deepEqual(groupByDay([]), []);
});

test('begins a group with the midnight of its first day when the clocks were changed between', () => {
  const groups = ['yesterday', 'today', 'week', 'yesterday', 'month', 'week', 'older', 'month'];
  const seen = (now: string, zone: string, midnights: readonly string[]) =>
    assert.deepEqual(
      groupsAt(
        now,
        zone,
        midnights.flatMap((midnight) => [new Date(Date.parse(midnight) - 1).toISOString(), midnight]),
      ),
      groups,
      `${zone} at ${now}`,
    );
  // The clocks went back on 25 October, and forward on 29 March.
  seen('2026-10-26T00:30:00+01:00', 'Europe/Berlin', [
    ...['2026-10-26T00:00:00+01:00', '2026-10-25T00:00:00+02:00'],
    ...['2026-10-19T00:00:00+02:00', '2026-09-26T00:00:00+02:00'],
  ]);
  seen('2026-03-30T23:30:00+02:00', 'Europe/Berlin', [
    ...['2026-03-30T00:00:00+02:00', '2026-03-29T00:00:00+01:00'],
    ...['2026-03-23T00:00:00+01:00', '2026-02-28T00:00:00+01:00'],
  ]);
});

test('takes the zone that the person chose, not that of the browser', () => {
  const times = ['2026-11-15T20:00:00Z'];
  assert.deepEqual(groupsAt('2026-11-16T01:00:00Z', 'UTC', times), ['yesterday']);
  assert.deepEqual(groupsAt('2026-11-16T01:00:00Z', 'Asia/Tokyo', times), ['today']);
  assert.deepEqual(groupsAt('2026-11-16T01:00:00Z', 'America/Los_Angeles', times), ['today']);
  assert.deepEqual(groupsAt('2026-11-16T10:00:00Z', 'America/Los_Angeles', times), ['yesterday']);
});
