import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';

const minute = 60_000;

/** The rows that an agent or a workflow changed in the last minute. */
export function useRecentRows(tableId: string, isPlatform: boolean): ReadonlySet<string> {
  const client = useClient();
  const { id: w } = useWorkspace();
  const [now, setNow] = useState(Date.now);
  const { data } = useQuery({
    queryKey: [w, 'rows', tableId, 'recent'],
    queryFn: async () => {
      const { items } = await client.tableChanges.list(tableId, { size: 20 });
      const recent = items.filter(({ run_id, changed_at }) => run_id && Date.now() - Date.parse(changed_at) < minute);
      const changes = await Promise.all(recent.map(({ id }) => client.tableChanges.get(tableId, id)));
      return changes.flatMap(({ changed_at, rows }) =>
        rows.map(({ row_id }) => ({ row_id, at: Date.parse(changed_at) })),
      );
    },
    enabled: !isPlatform,
  });
  const last = Math.max(0, ...(data ?? []).map(({ at }) => at));
  useEffect(() => {
    setNow(Date.now());
    if (last === 0) return;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() - last > minute) clearInterval(timer);
    }, 5000);
    return () => clearInterval(timer);
  }, [last]);
  return useMemo(
    () => new Set((data ?? []).filter(({ at }) => now - at < minute).map(({ row_id }) => row_id)),
    [data, now],
  );
}
