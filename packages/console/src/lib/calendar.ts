import { currentTimeZone } from './time.ts';

const hour = 3_600_000;
const pad = (value: number, length = 2) => String(value).padStart(length, '0');

const formats = new Map<string, Intl.DateTimeFormat>();
function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    ...{ hourCycle: 'h23', timeZone: zone },
  });
  formats.set(zone, format);
  return format;
}

/** What the clocks of a zone show at a moment, as if it were UTC. */
function clockAt(time: number, zone: string): number {
  const parts: Partial<Record<string, number>> = {};
  for (const { type, value } of formatIn(zone).formatToParts(time)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour: hours, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hours, minute, second);
}

/** The first moment at which the clocks of a zone show this time; where they skip it, the moment at which they do. */
function momentOf(clock: number, zone: string): number {
  // Clocks change once within two days: the distances from UTC before and after tell all candidates.
  const [before, after] = [-24 * hour, 24 * hour].map((by) => {
    const near = clock + by;
    return clock - (clockAt(near, zone) - near);
  }) as [number, number];
  const shown = [before, after].filter((moment) => clockAt(moment, zone) === clock);
  return shown.length > 0 ? Math.min(...shown) : before;
}

/** The day of a time as date fields have it, "2026-10-25", in the zone that the person chose. */
export function dayOf(time: string | number | Date, zone = currentTimeZone()): string {
  const clock = new Date(clockAt(new Date(time).getTime(), zone));
  return `${pad(clock.getUTCFullYear(), 4)}-${pad(clock.getUTCMonth() + 1)}-${pad(clock.getUTCDate())}`;
}

/** A day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The first moment of a day. Around a clock change a day has 23 or 25 hours, and may begin after midnight. */
export const startOfDay = (day: string, zone = currentTimeZone()): number =>
  momentOf(Date.parse(`${day}T00:00:00Z`), zone);

/** The last second of a day, as ends of keys and links are stored. */
export const endOfDay = (day: string, zone = currentTimeZone()): string =>
  new Date(startOfDay(addDays(day, 1), zone) - 1000).toISOString();

/** The first moment of the day that was so many days before that of `now`. */
export const startOfDaysAgo = (days: number, now: string | number | Date = Date.now(), zone = currentTimeZone()) =>
  startOfDay(addDays(dayOf(now, zone), -days), zone);
