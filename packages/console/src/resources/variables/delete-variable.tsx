import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../common/queries.ts';
import { Uses } from '../common/uses.tsx';
import type { Variable } from './variables.ts';

const words = resourceTexts.variables;

/** Asks before a variable is deleted, and names what uses it: that fails from then on. */
export function DeleteVariable(props: { variable: Variable; onClose: () => void; onDeleted: () => void }) {
  const { variable, onClose, onDeleted } = props;
  const client = useClient();
  const { id: w } = useWorkspace();
  const refresh = useRefresh('variables');
  const load = () => client.variables.listUses(variable.id);
  const { data } = useQuery({ queryKey: [w, 'uses', 'variables', variable.id], queryFn: load, staleTime: 0 });
  const isUsed = data !== undefined && data.items.length + data.hidden > 0;
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.deleteTitle(variable.name)}
      help={words.deleteHelp}
      action={isUsed ? words.deleteUsed : words.deleteUnused}
      onConfirm={async () => {
        // Only what was shown may be overruled: without uses in view the server refuses where there are some.
        await client.variables.delete(variable.id, isUsed ? { force: true } : {});
        sayToast({ text: resourceTexts.deleted(variable.name) });
        await refresh();
        onDeleted();
      }}
    >
      <Uses queryKey={['variables', variable.id]} load={load} />
    </Confirm>
  );
}
