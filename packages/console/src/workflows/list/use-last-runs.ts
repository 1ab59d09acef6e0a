import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import type { WorkflowRun } from '../queries.ts';

export interface LastRun {
  status: WorkflowRun['status'];
  at: string;
}

/** The newest run of each workflow, as far as it is among the last hundred of the workspace. */
export function useLastRuns(): ReadonlyMap<string, LastRun> {
  const client = useClient();
  const { id } = useWorkspace();
  const mayRun = useMay()('flows_run');
  const { data } = useQuery({
    queryKey: [id, 'runs', 'last-of-workflows'],
    queryFn: () => client.runs.list({ kind: 'workflow', view: 'summary', size: 100 }),
    enabled: mayRun,
  });
  const found = new Map<string, LastRun>();
  for (const { workflow_id, status, created_at } of data?.items ?? [])
    if (!found.has(workflow_id)) found.set(workflow_id, { status, at: created_at });
  return found;
}
