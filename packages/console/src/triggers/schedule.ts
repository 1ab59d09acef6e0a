/** A schedule as people say it. What can't be said so stays a cron expression. */
export type Schedule =
  | { every: 'hour'; minute: number }
  | { every: 'day' | 'working day'; time: string }
  | { every: 'week'; days: readonly number[]; time: string }
  | { every: 'month'; day: number; time: string }
  | { every: 'other'; cron: string };
export type Every = Schedule['every'];

export const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const shortNames = dayNames.map((name) => name.slice(0, 3).toLowerCase());
/** Weeks begin on Monday here. */
export const daysInOrder = [1, 2, 3, 4, 5, 6, 0] as const;

const inWeek = (days: Iterable<number>) => daysInOrder.filter((day) => new Set(days).has(day));
const numberIn = (text: string, min: number, max: number): number | undefined =>
  /^\d{1,2}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;

const dayOf = (text: string): number | undefined => {
  const named = shortNames.indexOf(text.toLowerCase());
  const day = named >= 0 ? named : numberIn(text, 0, 7);
  return day === undefined ? undefined : day % 7;
};

/** The days of a cron field such as `1-5` or `MON,WED`; undefined when it is written in another way. */
function daysOf(text: string): number[] | undefined {
  const days: number[] = [];
  for (const part of text.split(',')) {
    const [from, to, ...more] = part.split('-');
    const [first, last] = [dayOf(from ?? ''), to === undefined ? dayOf(from ?? '') : dayOf(to)];
    if (first === undefined || last === undefined || more.length) return undefined;
    // A range may end on Sunday, which is 0 and 7.
    const end = last < first ? last + 7 : last;
    for (let day = first; day <= end; day++) days.push(day % 7);
  }
  return inWeek(days);
}

const two = (value: number) => String(value).padStart(2, '0');
const timeOf = (hour: number, minute: number) => `${two(hour)}:${two(minute)}`;
const isWorkingWeek = (days: readonly number[]) => days.join() === '1,2,3,4,5';

export function readCron(cron: string): Schedule {
  const other: Schedule = { every: 'other', cron };
  const fields = cron.trim().split(/\s+/);
  const [minutes = '', hours = '', dates = '', months = '', weekdays = ''] = fields;
  const minute = numberIn(minutes, 0, 59);
  if (fields.length !== 5 || minute === undefined || months !== '*') return other;
  if (hours === '*') return dates === '*' && weekdays === '*' ? { every: 'hour', minute } : other;
  const hour = numberIn(hours, 0, 23);
  if (hour === undefined) return other;
  const time = timeOf(hour, minute);
  if (weekdays === '*') {
    const day = numberIn(dates, 1, 31);
    if (day !== undefined) return { every: 'month', day, time };
    return dates === '*' ? { every: 'day', time } : other;
  }
  const days = daysOf(weekdays);
  if (dates !== '*' || !days) return other;
  return isWorkingWeek(days) ? { every: 'working day', time } : { every: 'week', days, time };
}

const ofTime = (time: string) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${minute} ${hour}`;
};

export function writeCron(schedule: Schedule): string {
  switch (schedule.every) {
    case 'hour':
      return `${schedule.minute} * * * *`;
    case 'day':
      return `${ofTime(schedule.time)} * * *`;
    case 'working day':
      return `${ofTime(schedule.time)} * * 1-5`;
    case 'week':
      return `${ofTime(schedule.time)} * * ${inWeek(schedule.days).join(',')}`;
    case 'month':
      return `${ofTime(schedule.time)} ${schedule.day} * *`;
    default:
      return schedule.cron;
  }
}

/** The same time with another rhythm. */
export function changeEvery(schedule: Schedule, every: Every): Schedule {
  const time = 'time' in schedule ? schedule.time : '09:00';
  if (every === 'hour') return { every, minute: 0 };
  if (every === 'week') return { every, days: [1], time };
  if (every === 'month') return { every, day: 1, time };
  return every === 'other' ? { every, cron: writeCron(schedule) } : { every, time };
}

const list = new Intl.ListFormat('en');

/** "Every Monday at 09:00"; an expression that has no such words is said as it is. */
export function saySchedule(schedule: Schedule): string {
  switch (schedule.every) {
    case 'hour':
      return `Every hour at ${two(schedule.minute)} past`;
    case 'day':
    case 'working day':
      return `Every ${schedule.every} at ${schedule.time}`;
    case 'week':
      return `Every ${list.format(schedule.days.map((day) => dayNames[day] ?? ''))} at ${schedule.time}`;
    case 'month':
      return `On day ${schedule.day} of every month at ${schedule.time}`;
    default:
      return schedule.cron;
  }
}
