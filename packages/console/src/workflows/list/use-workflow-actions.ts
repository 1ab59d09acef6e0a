import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { saveFile } from '../../lib/save-file.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';

interface Named {
  id: string;
  name: string;
}

/** What can be done with a workflow as a whole. Each says what failed; nothing else changes then. */
export function useWorkflowActions() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refresh = () => queries.invalidateQueries({ queryKey: [w, 'workflows'] });
  const attempt = async <T>(action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      sayFailure(error);
      return undefined;
    }
  };
  const actions = {
    refresh,
    open: (id: string) => navigate({ to: '/w/$w/workflows/$id', params: { w, id } }),
    duplicate: (workflow: Named) =>
      attempt(async () => {
        const name = workflowTexts.copyOf(workflow.name).slice(0, 500);
        const made = await client.workflows.duplicate(workflow.id, { name });
        await refresh();
        const action = { label: workflowTexts.list.open, onClick: () => void actions.open(made.id) };
        sayToast({ text: workflowTexts.duplicated(made.name), action });
      }),
    download: (workflow: Named) =>
      attempt(async () => {
        const file = await client.workflows.export(workflow.id);
        saveFile(`${workflow.name}.workflow.json`, JSON.stringify(file, null, 2), 'application/json');
        sayToast({ text: workflowTexts.exported });
      }),
    restore: (workflow: Named) =>
      attempt(async () => {
        await client.workflows.restore(workflow.id);
        await refresh();
        const action = { label: workflowTexts.list.open, onClick: () => void actions.open(workflow.id) };
        sayToast({ text: workflowTexts.restored(workflow.name), action });
      }),
    /** The dialog that asked shows what failed. */
    async remove(workflow: Named): Promise<void> {
      await client.workflows.delete(workflow.id);
      await refresh();
      const action = { label: workflowTexts.remove.undo, onClick: () => void actions.restore(workflow) };
      sayToast({ text: workflowTexts.remove.done(workflow.name), action });
    },
  };
  return actions;
}
