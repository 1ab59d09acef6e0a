import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, dayOf, endOfDay, startOfDay, startOfDaysAgo } from './calendar.ts';

const hour = 3_600_000;
const startIn = (zone: string, day: string) => new Date(startOfDay(day, zone)).toISOString();
const hoursOf = (zone: string, day: string) => (startOfDay(addDays(day, 1), zone) - startOfDay(day, zone)) / hour;

test('begins a day at midnight of its zone', () => {
  assert.equal(startIn('UTC', '2026-11-19'), '2026-11-19T00:00:00.000Z');
  assert.equal(startIn('Asia/Kathmandu', '2026-11-19'), '2026-11-18T18:15:00.000Z');
  assert.equal(startIn('Pacific/Kiritimati', '2026-01-01'), '2025-12-31T10:00:00.000Z');
  assert.equal(startIn('America/Los_Angeles', '2026-01-01'), '2026-01-01T08:00:00.000Z');
});

test('gives a day 23 or 25 hours when the clocks change in it', () => {
  const days = [
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Europe/Berlin', '2026-10-26', 24],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
  ] as const;
  for (const [zone, day, hours] of days) assert.equal(hoursOf(zone, day), hours, `${zone} ${day}`);
});

test('begins a day at the first moment it has when its midnight is skipped or comes twice', () => {
  // In São Paulo clocks went from 00:00 to 01:00, and back from 00:00 to 23:00 of the day before.
  assert.equal(startIn('America/Sao_Paulo', '2018-11-04'), '2018-11-04T03:00:00.000Z');
  assert.equal(startIn('America/Sao_Paulo', '2018-02-18'), '2018-02-18T03:00:00.000Z');
  assert.equal(hoursOf('America/Sao_Paulo', '2018-02-17'), 25);
  // In Havana they go from 01:00 back to 00:00.
  assert.equal(startIn('America/Havana', '2026-11-01'), '2026-11-01T04:00:00.000Z');
});

test('names the day of a moment in its zone, and ends it a second before the next', () => {
  assert.equal(dayOf('2026-10-25T23:30:00Z', 'Europe/Berlin'), '2026-10-26');
  assert.equal(dayOf('2026-10-25T21:30:00Z', 'Europe/Berlin'), '2026-10-25');
  assert.equal(dayOf('2026-10-25T23:30:00Z', 'America/New_York'), '2026-10-25');
  assert.equal(endOfDay('2026-10-25', 'Europe/Berlin'), '2026-10-25T22:59:59.000Z');
});

test('counts days back by the calendar when the clocks were changed between them', () => {
  const noon = new Date('2026-10-26T12:00:00+01:00');
  assert.equal(startOfDaysAgo(1, noon, 'Europe/Berlin'), Date.parse('2026-10-24T22:00:00Z'));
  assert.equal(startOfDaysAgo(30, noon, 'Europe/Berlin'), Date.parse('2026-09-25T22:00:00Z'));
  assert.equal(addDays('2026-03-01', -1), '2026-02-28');
});
