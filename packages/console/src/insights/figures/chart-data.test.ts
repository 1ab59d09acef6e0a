import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointsOf, stackByAgent } from './chart-data.ts';

const days = ['2026-11-05T00:00:00.000Z', '2026-11-06T00:00:00.000Z'];
const range = { start: '2026-11-03T09:00:00.000Z', end: '2026-11-07T09:00:00.000Z' };
const row = (time: string | undefined, id: string, value: number) => ({ time: time ?? '', id, label: id, value });

test('stacks the agents with the most and puts all others together, so that each day adds up', () => {
  const rows = [row(days[0], 'a', 1), row(days[0], 'b', 5), row(days[0], 'c', 2), row(days[1], 'd', 1)];
  const { series, points } = stackByAgent(rows, range, 3, 'Others');
  assert.deepEqual(
    series.map(({ label }) => label),
    ['b', 'c', 'Others'],
  );
  assert.deepEqual(
    points.map(({ label, values }) => [label, ...values]),
    [
      ['3 Nov', 0, 0, 0],
      ['4 Nov', 0, 0, 0],
      ['5 Nov', 5, 2, 1],
      ['6 Nov', 0, 0, 1],
      ['7 Nov', 0, 0, 0],
    ],
  );
});

test('has no series when nothing happened', () => {
  assert.deepEqual(stackByAgent([row(days[0], 'a', 0)], range, 5, 'Others').series, []);
});

test('names days by their date and hours by their time', () => {
  assert.deepEqual(
    pointsOf(days.map((label) => ({ label, value: 1 }))).map(({ label, name }) => [label, name]),
    [
      ['5 Nov', 'Thursday 5 November'],
      ['6 Nov', 'Friday 6 November'],
    ],
  );
  const hours = ['2026-11-05T10:00:00.000Z', '2026-11-05T11:00:00.000Z'];
  assert.match(pointsOf(hours.map((label) => ({ label, value: null })))[1]?.label ?? '', /^Thu.*\d\d:00$/);
});
