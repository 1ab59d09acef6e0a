import { startOfDaysAgo } from '../../lib/calendar.ts';
import { currentTimeZone } from '../../lib/time.ts';

export type DayGroup = 'pinned' | 'today' | 'yesterday' | 'week' | 'month' | 'older';

const order: readonly DayGroup[] = ['pinned', 'today', 'yesterday', 'week', 'month', 'older'];
/** The days before today that a group begins with. */
const firstDays = [
  ['today', 0],
  ['yesterday', 1],
  ['week', 7],
  ['month', 30],
] as const;

/** Conversations by the day of their last change in the person's zone, pinned ones first. Groups without any are left out. */
export function groupByDay<T extends { pinned: boolean; last_updated_at: string }>(
  conversations: readonly T[],
  now = new Date(),
  zone = currentTimeZone(),
): { group: DayGroup; items: T[] }[] {
  const starts = firstDays.map(([group, daysAgo]) => ({ group, start: startOfDaysAgo(daysAgo, now, zone) }));
  const groupOf = (time: number): DayGroup => starts.find(({ start }) => time >= start)?.group ?? 'older';
  const groups = Map.groupBy(conversations, ({ pinned, last_updated_at }) =>
    pinned ? 'pinned' : groupOf(Date.parse(last_updated_at)),
  );
  return order.flatMap((group) => {
    const items = groups.get(group);
    return items ? [{ group, items }] : [];
  });
}
