export type DayGroup = 'pinned' | 'today' | 'yesterday' | 'week' | 'month' | 'older';

const day = 86_400_000;
const order: readonly DayGroup[] = ['pinned', 'today', 'yesterday', 'week', 'month', 'older'];

function groupOf(time: number, midnight: number): DayGroup {
  if (time >= midnight) return 'today';
  if (time >= midnight - day) return 'yesterday';
  if (time >= midnight - 7 * day) return 'week';
  return time >= midnight - 30 * day ? 'month' : 'older';
}

/** Conversations by the day of their last change, pinned ones first. Groups without any are left out. */
export function groupByDay<T extends { pinned: boolean; last_updated_at: string }>(
  conversations: readonly T[],
  now = new Date(),
): { group: DayGroup; items: T[] }[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const groups = Map.groupBy(conversations, ({ pinned, last_updated_at }) =>
    pinned ? 'pinned' : groupOf(Date.parse(last_updated_at), midnight),
  );
  return order.flatMap((group) => {
    const items = groups.get(group);
    return items ? [{ group, items }] : [];
  });
}
