import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useEditor } from '../editor/editor-context.ts';
import { runOfWorkflow, type WorkflowRun } from '../queries.ts';

const isLive = (status: WorkflowRun['status'] | undefined) => status === 'queued' || status === 'running';

/** Shows a run beside the steps and follows it while it goes on. */
export function useFollowRun(workflowId: string, runId: string | undefined) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const { runStore } = useEditor();
  const asked = runOfWorkflow(client, w, workflowId, runId);
  const query = useQuery({
    ...asked,
    enabled: runId !== undefined,
    // Another person may answer, and no stream is open while a run waits.
    refetchInterval: ({ state }) => (state.data?.status === 'awaiting_human_feedback' ? 2000 : false),
  });
  const run = query.data;
  useEffect(() => {
    if (!runId) runStore.clear();
    else if (run) runStore.takeRun(run);
  }, [runStore, runId, run]);
  const live = isLive(run?.status);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is made of the run's id.
  useEffect(() => {
    if (!runId || !live) return;
    const leaving = new AbortController();
    const follow = async () => {
      try {
        for await (const part of client.runs.events(runId, { signal: leaving.signal })) runStore.takeEvent(part);
      } catch {
        // The run is read below; what the stream could not bring is in it.
      }
      if (leaving.signal.aborted) return;
      await queries.invalidateQueries({ queryKey: asked.queryKey });
    };
    void follow();
    return () => leaving.abort();
  }, [client, runStore, queries, runId, live]);
  return query;
}
