import { timetableOf, timetableTrouble } from '../../../lib/timetable/timetable.ts';

const least_ms = 15 * 60_000;
/** How many of the next times are checked for being too close together. */
const checkedTimes = 50;

/** When a schedule is due next; undefined when it is invalid or due more often than every 15 minutes. */
export function nextCrawlTime(schedule: string, from: Date = new Date()): Date | undefined {
  if (timetableTrouble(schedule, 'UTC')) return undefined;
  const { after } = timetableOf(schedule, 'UTC');
  const first = after(from.getTime());
  let last = first;
  for (let count = 1; count < checkedTimes && last !== undefined; count++) {
    const next = after(last);
    if (next !== undefined && next - last < least_ms) return undefined;
    last = next;
  }
  return first === undefined ? undefined : new Date(first);
}
