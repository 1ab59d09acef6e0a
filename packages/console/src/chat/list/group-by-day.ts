export type DayGroup = 'pinned' | 'today' | 'yesterday' | 'week' | 'month' | 'older';

const order: readonly DayGroup[] = ['pinned', 'today', 'yesterday', 'week', 'month', 'older'];

/** By the calendar: around a clock change a day has 23 or 25 hours. */
function groupOf(time: number, now: Date): DayGroup {
  const midnight = (daysBack: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack).getTime();
  if (time >= midnight(0)) return 'today';
  if (time >= midnight(1)) return 'yesterday';
  if (time >= midnight(7)) return 'week';
  return time >= midnight(30) ? 'month' : 'older';
}

/** Conversations by the day of their last change, pinned ones first. Groups without any are left out. */
export function groupByDay<T extends { pinned: boolean; last_updated_at: string }>(
  conversations: readonly T[],
  now = new Date(),
): { group: DayGroup; items: T[] }[] {
  const groups = Map.groupBy(conversations, ({ pinned, last_updated_at }) =>
    pinned ? 'pinned' : groupOf(Date.parse(last_updated_at), now),
  );
  return order.flatMap((group) => {
    const items = groups.get(group);
    return items ? [{ group, items }] : [];
  });
}
