import { required } from '../required.ts';
/** The five fields of a schedule, as sets of numbers. */
export interface Cron {
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  months: ReadonlySet<number>;
  /** Where both a day of the month and a weekday are asked for, either is enough. */
  isDay(day: number, weekday: number): boolean;
  /** One time of the day: where the clock is changed it is due once all the same. */
  fixed: boolean;
}

export class CronTrouble extends Error {}

const shorthands: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
};

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface FieldKind {
  what: string;
  low: number;
  high: number;
  names?: readonly string[];
}

const kinds: readonly FieldKind[] = [
  { what: 'minute', low: 0, high: 59 },
  { what: 'hour', low: 0, high: 23 },
  { what: 'day', low: 1, high: 31 },
  { what: 'month', low: 1, high: 12, names: months },
  // Sunday is 0 and 7.
  { what: 'weekday', low: 0, high: 7, names: weekdays },
];

function numberOf(text: string, { what, low, high, names }: FieldKind): number {
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + low : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  throw new CronTrouble(`the ${what} goes from ${low} to ${high}`);
}

/** A star, a number, a range, each with or without a step, and lists of them. */
function fieldOf(text: string, kind: FieldKind): Set<number> {
  const allowed = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step, ...more] = part.split('/');
    const [from = '', to, ...rest] = range.split('-');
    const all = range === '*' || range === '?';
    const steps = step === undefined ? 1 : /^\d{1,2}$/.test(step) ? Number(step) : 0;
    if (more.length || rest.length || steps === 0 || (step !== undefined && !all && to === undefined))
      throw new CronTrouble(`the ${kind.what} is a star, a number or a range, with a step or without`);
    const first = all ? kind.low : numberOf(from, kind);
    const last = all ? kind.high : to === undefined ? first : numberOf(to, kind);
    if (last < first) throw new CronTrouble(`the range of the ${kind.what} ends before it begins`);
    for (let value = first; value <= last; value += steps) allowed.add(value);
  }
  return allowed;
}

const isStar = (text: string) => /^[*?]$/.test(text);

/** Throws CronTrouble. */
export function parseCron(text: string): Cron {
  const fields = (shorthands[text] ?? text).split(' ');
  if (fields.length !== 5 || fields.includes(''))
    throw new CronTrouble('a schedule has five fields: minute hour day month weekday');
  const [minute = '', hour = '', day = '', , weekday = ''] = fields;
  const [minutes, hours, days, inMonths, onWeekdays] = fields.map((field, at) => fieldOf(field, required(kinds[at])));
  if (onWeekdays?.has(7)) onWeekdays.add(0);
  const either = !isStar(day) && !isStar(weekday);
  return {
    minutes: required(minutes),
    hours: required(hours),
    months: required(inMonths),
    isDay: (own, ownWeekday) => {
      const [fits, fitsWeekday] = [days?.has(own) ?? false, onWeekdays?.has(ownWeekday) ?? false];
      return either ? fits || fitsWeekday : fits && fitsWeekday;
    },
    fixed: /^\d+$/.test(minute) && /^\d+$/.test(hour),
  };
}
