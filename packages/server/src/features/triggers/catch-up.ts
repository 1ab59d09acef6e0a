import type { CatchUp } from '@atrium/contract/triggers/schema.ts';
import type { Timetable } from '../../lib/timetable/timetable.ts';

/** A slot is not missed when it is handled within this time (in milliseconds). */
const onTime = 60_000;
const mostAtOnce = 100;

/**
 * The slots from `first` on to fire now, and the next one. By `catch_up`, missed slots are skipped, replaced by the
 * last one, or all fired, a hundred at a time.
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
