import { Cron } from 'croner';

/** The times at which something is due: by the clock on the wall of a time zone, in milliseconds since 1970. */
export interface Timetable {
  /** The first one after a time; undefined when there is none any more. */
  after(time: number): number | undefined;
  /** The last one that is not after a time. */
  latest(time: number): number | undefined;
}

const shape = /^(?:@(?:hourly|daily|weekly|monthly|yearly)|\S+(?: \S+){4})$/;

const known = new Map<string, Timetable>();
const keepMost = 1000;

function zoneTrouble(timezone: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return undefined;
  } catch {
    return 'there is no such time zone; give it as Europe/Berlin';
  }
}

/** Why these are no five cron fields and a time zone, and which of both it is; undefined when they are. */
export function timetableTrouble(
  cron: string,
  timezone: string,
): { at: 'cron' | 'timezone'; error: string } | undefined {
  const zone = zoneTrouble(timezone);
  if (zone) return { at: 'timezone', error: zone };
  if (!shape.test(cron)) return { at: 'cron', error: 'a schedule has five fields: minute hour day month weekday' };
  try {
    const first = timetableOf(cron, timezone).after(Date.UTC(2024, 0, 1));
    return first === undefined ? { at: 'cron', error: 'this time never comes' } : undefined;
  } catch (error) {
    return { at: 'cron', error: String((error as Error).message).replace(/^Cron\w*: */, '') };
  }
}

/**
 * Where clocks are put forward, a fixed time that does not exist is due right after the gap; where they are put back,
 * it is due once, the first time. What is due by an interval is due whenever the clock shows it, in a repeated hour
 * twice.
 */
export function timetableOf(cron: string, timezone: string): Timetable {
  const name = `${timezone} ${cron}`;
  const found = known.get(name);
  if (found) return found;
  const pattern = new Cron(cron, { timezone, paused: true, mode: '5-part' });
  const made: Timetable = {
    after: (time) => pattern.nextRun(new Date(time))?.getTime(),
    latest: (time) => pattern.previousRuns(1, new Date(time + 1))[0]?.getTime(),
  };
  if (known.size >= keepMost) known.clear();
  known.set(name, made);
  return made;
}

export const catchUps = ['skip', 'once', 'all'] as const;
export type CatchUp = (typeof catchUps)[number];

/** A slot that is looked at within this time is not missed. */
const onTime = 60_000;
const mostAtOnce = 100;

/**
 * The slots from `first` on that are fired now, and which is the next. Those that were missed are left out, made up for
 * by the last of them, or all fired, a hundred at a time.
 */
export function slotsDue(timetable: Timetable, first: number, now: number, catch_up: CatchUp) {
  const slots: number[] = [];
  if (catch_up === 'all') {
    let next: number | undefined = first;
    for (; next !== undefined && next <= now && slots.length < mostAtOnce; next = timetable.after(next))
      slots.push(next);
    return { slots, next };
  }
  const last = Math.max(first, timetable.latest(now) ?? first);
  if (catch_up === 'once' || now - last <= onTime) slots.push(last);
  return { slots, next: timetable.after(now) };
}
