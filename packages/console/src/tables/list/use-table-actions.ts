import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { tableTexts } from '../../text/tables.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';

interface Named {
  id: string;
  name: string;
}

/** What can be done with a table as a whole. */
export function useTableActions() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refresh = () => queries.invalidateQueries({ queryKey: [w, 'tables'] });
  const open = (id: string) => navigate({ to: '/w/$w/tables/$id', params: { w, id } });
  const actions = {
    ...{ open, refresh },
    async restore(table: Named): Promise<void> {
      try {
        await client.tables.restore(table.id);
        await refresh();
        const action = { label: tableTexts.list.open, onClick: () => void open(table.id) };
        sayToast({ text: tableTexts.remove.restored(table.name), action });
      } catch (error) {
        sayFailure(error);
      }
    },
    /** The dialog that asked shows what failed. */
    async remove(table: Named): Promise<void> {
      await client.tables.delete(table.id);
      await refresh();
      const action = { label: tableTexts.remove.undo, onClick: () => void actions.restore(table) };
      sayToast({ text: tableTexts.remove.done(table.name), action });
    },
  };
  return actions;
}
