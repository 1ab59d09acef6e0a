import { addDays, dayOf, startOfDay } from '../../lib/calendar.ts';
import type { Period } from '../routes.tsx';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
export const usualDays = 30;

/** A time range in whole hours, so that the same figures are asked for again within the hour. */
export interface Range {
  start: string;
  end: string;
  days: number;
}

/** The time that the address names. A range that ends before it begins is turned round. */
export function rangeOf({ days, from, to }: Period, now = Date.now()): Range {
  const nextHour = Math.ceil((now + 1) / hourMs) * hourMs;
  if (!from && !to) {
    const length = days ?? usualDays;
    return make(nextHour - length * dayMs, nextHour);
  }
  const last = to ?? dayOf(now);
  const [start = last, end = last] = [from ?? addDays(last, 1 - usualDays), last].toSorted();
  return make(startOfDay(start), Math.min(nextHour, startOfDay(addDays(end, 1))));
}

const make = (start: number, end: number): Range => ({
  start: new Date(start).toISOString(),
  end: new Date(Math.max(end, start + hourMs)).toISOString(),
  days: Math.max(1, Math.round((end - start) / dayMs)),
});

/** The range as long as this one that ends where it begins. */
export const rangeBefore = ({ start, end, days }: Range): Range => ({
  start: new Date(2 * Date.parse(start) - Date.parse(end)).toISOString(),
  end: start,
  days,
});
