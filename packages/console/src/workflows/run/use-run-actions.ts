import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayFailure } from '../../ui/toast.tsx';
import { useEditor } from '../editor/editor-context.ts';
import type { WorkflowRun } from '../queries.ts';

/** Starting, stopping and going on with runs. What is shown is in the address. */
export function useRunActions() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { store, mayEdit } = useEditor();
  const show = (run: string | undefined, node?: string) =>
    navigate({
      to: '/w/$w/workflows/$id',
      params: { w, id: store.getState().workflow.id },
      search: (old: { node?: string | undefined; view?: string | undefined }) => ({
        ...{ view: old.view === 'outline' ? ('outline' as const) : undefined, run },
        node: node ?? old.node,
      }),
    });
  const refresh = () => queries.invalidateQueries({ queryKey: [w, 'runs'] });
  return {
    show,
    refresh,
    /** Throws what the server refuses: the dialog shows it at its field. */
    async start(input: Record<string, unknown>): Promise<void> {
      await store.flush();
      const { workflow } = store.getState();
      const draft = mayEdit && workflow.draft !== null;
      const run = await client.workflowRuns.start(workflow.id, { input, tracing: true, ...(draft && { draft }) });
      await show(run.id);
      await refresh();
    },
    async stop(run: Pick<WorkflowRun, 'id'>): Promise<void> {
      try {
        await client.runs.stop(run.id);
      } catch (error) {
        sayFailure(error);
      }
      await refresh();
    },
    /** A new run that keeps what was done, with the workflow as it is now. */
    async retry(run: Pick<WorkflowRun, 'id'>): Promise<void> {
      try {
        await store.flush();
        const next = await client.runs.retry(run.id, { version: 'current' });
        await show(next.id);
      } catch (error) {
        sayFailure(error);
      }
      await refresh();
    },
  };
}
