/**
 * The slots of a cron expression found by looking at every minute on the wall clock that Intl shows: slow, plain, and
 * made of nothing that the program itself uses. For tests.
 */

type Field = (value: number) => boolean;

/** `*`, `*` with a step, `a`, `a-b`, `a-b/n`, and lists of them; months and weekdays as numbers. */
function fieldOf(text: string, lowest: number, highest: number): Field {
  const allowed = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [from, to = part.includes('/') ? highest : from] =
      range === '*' ? [lowest, highest] : range.split('-').map(Number);
    for (let value = from as number; value <= (to as number); value += Number(step)) allowed.add(value);
  }
  return (value) => allowed.has(value);
}

const minuteMs = 60_000;

/** What the wall clock shows at a moment, in whole minutes. */
function wallClock(timezone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });
  const offsetAt = (time: number) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const { year, month, day, hour, minute } = parts as Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>;
    return Date.UTC(year, month - 1, day, hour, minute) - time;
  };
  // No zone changes its clock twice in six hours: where it shows the same at both ends, nothing happened in between.
  const span = 6 * 60 * minuteMs;
  let [from, first, last] = [Number.NaN, 0, 0];
  return (time: number): number => {
    const at = Math.floor(time / span);
    if (at !== from) [from, first, last] = [at, offsetAt(at * span), offsetAt((at + 1) * span)];
    return time + (first === last ? first : offsetAt(time));
  };
}

export function bruteForceSlots(cron: string, timezone: string, from: number, to: number): number[] {
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = cron.split(' ');
  const inMinutes = fieldOf(minutes, 0, 59);
  const inHours = fieldOf(hours, 0, 23);
  const inDays = fieldOf(days, 1, 31);
  const inMonths = fieldOf(months, 1, 12);
  const inWeekdays = fieldOf(weekdays.replaceAll('7', '0'), 0, 6);
  const fixed = /^\d+$/.test(minutes) && /^\d+$/.test(hours);
  const wall = wallClock(timezone);

  function matches(shown: number): boolean {
    if (!inMinutes(Math.floor(shown / minuteMs) % 60)) return false;
    const date = new Date(shown);
    if (!inHours(date.getUTCHours()) || !inMonths(date.getUTCMonth() + 1)) return false;
    const [day, weekday] = [inDays(date.getUTCDate()), inWeekdays(date.getUTCDay())];
    // Where both are restricted, either is enough.
    if (days !== '*' && weekdays !== '*') return day || weekday;
    return day && weekday;
  }

  const slots: number[] = [];
  const seen = new Set<number>();
  // Beginning earlier: what a clock shows for the second time it must have been seen to show before.
  const start = from - 3 * 60 * minuteMs;
  let [before, shown] = [0, wall(start - minuteMs)];
  for (let time = start; time < to; time += minuteMs) {
    [before, shown] = [shown, wall(time)];
    if (fixed) {
      // A time that was jumped over is due at the jump, once; one that is shown again is not due again.
      let due = false;
      for (let minute = before + minuteMs; minute <= shown; minute += minuteMs)
        if (matches(minute) && !seen.has(minute)) {
          seen.add(minute);
          due = true;
        }
      if (shown <= before && matches(shown) && !seen.has(shown)) due = true;
      if (due && time >= from) slots.push(time);
    } else if (matches(shown) && time >= from) slots.push(time);
  }
  return slots;
}
