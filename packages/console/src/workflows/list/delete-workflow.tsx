import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useWorkflowActions } from './use-workflow-actions.ts';

const words = workflowTexts.remove;

interface DeleteProps {
  workflow: { id: string; name: string };
  onClose: () => void;
  onDone?: () => void;
}

/** Asks before a workflow is deleted, and names what uses it. */
export function DeleteWorkflow({ workflow, onClose, onDone }: DeleteProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const actions = useWorkflowActions();
  const { data, error, isPending } = useQuery({
    queryKey: [w, 'workflows', 'uses', workflow.id],
    queryFn: () => client.workflows.listUses(workflow.id),
  });
  const count = (data?.items.length ?? 0) + (data?.hidden ?? 0);
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.title(workflow.name)}
      help={words.help}
      action={words.submit}
      onConfirm={async () => {
        await actions.remove(workflow);
        onDone?.();
      }}
    >
      {isPending && <Loading rows={2} />}
      {error && <ErrorState error={error} className="m-0" />}
      {data && count === 0 && <p className="text-dense text-text-2">{words.unused}</p>}
      {data && count > 0 && (
        <>
          <p className="mb-2 text-label font-medium">{words.usedBy(count)}</p>
          <ul className="divide-y divide-line rounded-3 border border-line text-dense">
            {data.items.slice(0, 20).map(({ kind, id, name }) => (
              <li key={`${kind}-${id}`} className="flex gap-3 px-3 py-2">
                <span className="w-28 flex-none text-text-3">{words.kinds[kind] ?? kind}</span>
                <span className="truncate">{name ?? id}</span>
              </li>
            ))}
          </ul>
          {data.hidden > 0 && <p className="mt-2 text-dense text-text-2">{words.hidden(data.hidden)}</p>}
        </>
      )}
    </Confirm>
  );
}
