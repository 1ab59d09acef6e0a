import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import type { RunFilters } from '../routes.tsx';
import { isOver, queryOf, type Run, runQuery, type Trace } from '../runs.ts';

/** Model calls are stored a moment after their run has ended. */
const settleMs = 5000;
const manySteps = 500;

function pauseOf(trace: Trace | undefined): number | false {
  if (!trace) return false;
  if (!isOver(trace.status)) return trace.steps.length > manySteps ? 4000 : 1000;
  return trace.finished_at && Date.now() - Date.parse(trace.finished_at) < settleMs ? 1500 : false;
}

/** A run and its steps without their content. Both are loaded again while the run goes on. */
export function useTrace(id: string) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const run = useQuery(runQuery(client, w, id));
  const trace = useQuery({
    queryKey: [w, 'runs', 'trace', id],
    queryFn: () => client.runs.getTrace(id, { content: false }),
    refetchInterval: ({ state }) => pauseOf(state.data),
  });
  return { run, trace };
}

/** The runs right before and after one, among those that the filters list. */
export function useNeighbours(run: Run | undefined, filters: RunFilters) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data } = useQuery({
    queryKey: [w, 'runs', 'neighbours', run?.id, filters],
    queryFn: async () => {
      if (!run) return {};
      const list = (more: object) => client.runs.list({ ...queryOf(filters), size: 1, ...more });
      const older = await list({ created_before: run.created_at });
      // The list begins with the newest: the next newer run is the last but one from this one on.
      const { total } = await list({ created_after: run.created_at });
      const newer = total > 1 ? await list({ created_after: run.created_at, page: total - 1 }) : undefined;
      const other = ({ id }: { id: string }) => id !== run.id;
      return { older: older.items.find(other)?.id, newer: newer?.items.find(other)?.id };
    },
    enabled: run !== undefined,
    staleTime: 10_000,
  });
  return data ?? {};
}
