import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { saveFile } from '../../lib/save-file.ts';
import { agentTexts } from '../../text/agents.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';

interface Named {
  id: string;
  name: string;
}

/** What can be done with an agent as a whole. Each says what failed; nothing else changes then. */
export function useAgentActions() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refresh = () => queries.invalidateQueries({ queryKey: [w, 'agents'] });
  const attempt = async <T>(action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      sayFailure(error);
      return undefined;
    }
  };
  const actions = {
    open: (id: string) => navigate({ to: '/w/$w/agents/$id/build', params: { w, id } }),
    duplicate: (agent: Named) =>
      attempt(async () => {
        const made = await client.agents.duplicate(agent.id, { name: agentTexts.copyOf(agent.name).slice(0, 200) });
        await refresh();
        const action = { label: agentTexts.list.open, onClick: () => void actions.open(made.id) };
        sayToast({ text: agentTexts.duplicated(made.name), action });
      }),
    download: (agent: Named) =>
      attempt(async () => {
        const file = await client.agents.export(agent.id);
        saveFile(`${agent.name}.agent.json`, JSON.stringify(file, null, 2), 'application/json');
        sayToast({ text: agentTexts.exported });
      }),
    restore: (agent: Named) =>
      attempt(async () => {
        await client.agents.restore(agent.id);
        await refresh();
        const action = { label: agentTexts.list.open, onClick: () => void actions.open(agent.id) };
        sayToast({ text: agentTexts.restored(agent.name), action });
      }),
    /** The dialog that asked shows what failed. */
    async remove(agent: Named): Promise<void> {
      await client.agents.delete(agent.id);
      await refresh();
      const action = { label: agentTexts.remove.undo, onClick: () => void actions.restore(agent) };
      sayToast({ text: agentTexts.remove.done(agent.name), action });
    },
  };
  return actions;
}
