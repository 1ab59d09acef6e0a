import { required } from '../../../lib/required.ts';

const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the day exists; without a year, whether it exists in any year. */
export function isDay(day: number, month: number, year?: number): boolean {
  if (month < 1 || month > 12 || day < 1 || day > required(days[month - 1])) return false;
  if (day < 29 || month !== 2 || year === undefined) return true;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** A number that is written for a year. */
export const isYear = (year: number) => year >= 1000 && year <= 2999;
