import type { CatchUp } from '@atrium/contract/triggers/schema.ts';
import type { Timetable } from '../../lib/timetable/timetable.ts';

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
