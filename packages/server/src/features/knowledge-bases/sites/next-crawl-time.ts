import { timetableOf, timetableTrouble } from '../../../lib/timetable/timetable.ts';

const least_ms = 15 * 60_000;
/** How many of the next times are looked at to tell how often it comes true. */
const looked = 50;

/** When a schedule comes true next; undefined when it is none, or comes true more often than a site should be asked. */
export function nextCrawlTime(schedule: string, from: Date = new Date()): Date | undefined {
  if (timetableTrouble(schedule, 'UTC')) return undefined;
  const { after } = timetableOf(schedule, 'UTC');
  const first = after(from.getTime());
  let last = first;
  for (let count = 1; count < looked && last !== undefined; count++) {
    const next = after(last);
    if (next !== undefined && next - last < least_ms) return undefined;
    last = next;
  }
  return first === undefined ? undefined : new Date(first);
}
