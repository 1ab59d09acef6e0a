import { dateNodeType, type dateUnits } from '@atrium/contract/workflows/node-types/data/date.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';

const lengths = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000, weeks: 604_800_000 } as const;
type Unit = (typeof dateUnits)[number];

const badDate = (message: string) => new NodeFailure('bad_date', message, { passing: false });

/**
 * Adds months and keeps the day of the month, or takes the last day of a shorter month: 31 January plus one month is
 * in February.
 */
function addMonths(from: Date, months: number): Date {
  const at = new Date(from);
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at;
}

export function addToDate(from: Date, amount: number, unit: Unit): Date {
  if (unit === 'months') return addMonths(from, Math.trunc(amount));
  if (unit === 'years') return addMonths(from, Math.trunc(amount) * 12);
  return new Date(from.getTime() + amount * lengths[unit]);
}

/** The time between two dates in the unit; months and years are whole numbers. */
function timeBetween(from: Date, to: Date, unit: Unit): number {
  if (unit !== 'months' && unit !== 'years') return (to.getTime() - from.getTime()) / lengths[unit];
  let months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  while (months > 0 && addMonths(from, months) > to) months--;
  while (months < 0 && addMonths(from, months) < to) months++;
  return unit === 'months' ? months : Math.trunc(months / 12);
}

function dateOf(value: unknown): Date {
  if (value === undefined || value === null || value === '') return new Date();
  const date = new Date(typeof value === 'number' || typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(date.getTime())) throw badDate('This is no date; write it as 2027-05-31 or 2027-05-31T10:00:00Z');
  return date;
}

function isoOf(date: Date): string {
  if (Number.isNaN(date.getTime())) throw badDate('That lies too far away');
  return date.toISOString();
}

function formatDate(
  date: Date,
  language: string,
  time_zone: string,
  style: 'short' | 'medium' | 'long' | 'full',
): string {
  try {
    return new Intl.DateTimeFormat(language, { timeZone: time_zone, dateStyle: style, timeStyle: 'short' }).format(
      date,
    );
  } catch {
    throw badDate(`There is no time zone ${time_zone} or no language ${language}`);
  }
}

export const dateNode = defineNode(
  dateNodeType,
  async (_, { date, until }, { operation, amount, unit, time_zone, language, style }) => {
    // Without a date, the current time is used.
    const from = dateOf(date);
    if (operation === 'difference') return { output: timeBetween(from, dateOf(until), unit) };
    const at = addToDate(from, amount, unit);
    if (operation === 'add') return { output: isoOf(at) };
    return { output: formatDate(new Date(isoOf(at)), language, time_zone, style) };
  },
);
