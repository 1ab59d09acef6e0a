import { LruCache } from '../lru-cache.ts';
import { type Cron, CronTrouble, parseCron } from './cron.ts';
import { minuteMs, momentOf, type Offsets, offsetsOf } from './wall-clock.ts';

/** The times at which something is due: by the clock on the wall of a time zone, in milliseconds since 1970. */
export interface Timetable {
  /** The first one after a time; undefined when there is none any more. */
  after(time: number): number | undefined;
  /** The last one that is not after a time. */
  latest(time: number): number | undefined;
}

const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A leap day may be eight years away. */
const farthest = 9 * 366 * dayMs;

const fitsDay = ({ months, isDay }: Cron, date: Date) =>
  months.has(date.getUTCMonth() + 1) && isDay(date.getUTCDate(), date.getUTCDay());

/** A fixed time, day after day: one that the clock jumps over is due at the jump, one that it shows twice at the first. */
function nextFixed(cron: Cron, offsets: Offsets, time: number): number | undefined {
  const [[hour = 0], [minute = 0]] = [[...cron.hours], [...cron.minutes]];
  const first = Math.floor((time + offsets(time)) / dayMs) - 1;
  for (let day = first; day * dayMs < time + farthest; day++) {
    if (!fitsDay(cron, new Date(day * dayMs))) continue;
    const due = momentOf(day * dayMs + hour * hourMs + minute * minuteMs, offsets);
    if (due > time) return due;
  }
  return undefined;
}

/** Whenever the clock shows it: in an hour that comes twice, twice. */
function nextShown(cron: Cron, offsets: Offsets, time: number): number | undefined {
  let at = Math.floor(time / minuteMs) * minuteMs + minuteMs;
  while (at < time + farthest) {
    const offset = offsets(at);
    const date = new Date(at + offset);
    const [hour, minute] = [date.getUTCHours(), date.getUTCMinutes()];
    const isDay = fitsDay(cron, date);
    const isHour = isDay && cron.hours.has(hour);
    if (isHour && cron.minutes.has(minute)) return at;
    const step = isHour ? minuteMs : (60 - minute + (isDay ? 0 : 60 * (23 - hour))) * minuteMs;
    // Where the clock is changed in between, it is watched minute by minute.
    at += offsets(at + step - minuteMs) === offset ? step : minuteMs;
  }
  return undefined;
}

function makeTimetable(cron: Cron, offsets: Offsets): Timetable {
  const after = (time: number) => (cron.fixed ? nextFixed : nextShown)(cron, offsets, time);
  return {
    after,
    latest(time) {
      for (const reach of [hourMs, dayMs, 32 * dayMs, 400 * dayMs, farthest]) {
        let last: number | undefined;
        for (let next = after(time - reach); next !== undefined && next <= time; next = after(next)) last = next;
        if (last !== undefined) return last;
      }
      return undefined;
    },
  };
}

const zones = new LruCache<string, Offsets>({ max: 1000 });
const known = new LruCache<string, Timetable>({ max: 1000 });

/** Throws CronTrouble for what is no schedule, RangeError for what is no zone. */
export function timetableOf(cron: string, timezone: string): Timetable {
  const name = `${timezone} ${cron}`;
  const found = known.get(name);
  if (found) return found;
  const offsets = zones.get(timezone) ?? offsetsOf(timezone);
  const made = makeTimetable(parseCron(cron), offsets);
  zones.set(timezone, offsets);
  known.set(name, made);
  return made;
}

/** Why these are no schedule and time zone, and which of both it is; undefined when they are. */
export function timetableTrouble(
  cron: string,
  timezone: string,
): { at: 'cron' | 'timezone'; error: string } | undefined {
  try {
    const first = timetableOf(cron, timezone).after(Date.UTC(2024, 0, 1));
    return first === undefined ? { at: 'cron', error: 'this time never comes' } : undefined;
  } catch (error) {
    if (error instanceof CronTrouble) return { at: 'cron', error: error.message };
    if (error instanceof RangeError)
      return { at: 'timezone', error: 'there is no such time zone; give it as Europe/Berlin' };
    throw error;
  }
}
