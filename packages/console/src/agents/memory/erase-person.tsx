import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useDraft } from '../editor/editor-context.ts';
import { type Memory, nameSubject, useRefreshMemories } from './memories.ts';

const words = agentTabTexts.memory;
const shown = 5;

interface ErasePersonProps {
  /** An entry about the person. */
  memory: Memory;
  onClose: () => void;
  onErased: () => void;
}

/** Erases everything about one person; the question says how much that is and shows it. */
export function ErasePerson({ memory, onClose, onErased }: ErasePersonProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { agent } = useDraft();
  const refresh = useRefreshMemories(agent.id);
  const subject_id = memory.subject_id as string;
  const name = nameSubject(memory) ?? words.somebody;
  const query = useQuery({
    queryKey: [w, 'memories', agent.id, 'of', subject_id],
    queryFn: () => client.agentMemories.list(agent.id, { subject_id, size: shown }),
    staleTime: 0,
  });
  const { items = [], total = 0 } = query.data ?? {};
  const erase = async () => {
    await client.agentMemories.deleteAll(agent.id, { subject_id });
    await refresh();
    sayToast({ text: words.erased(name) });
    onErased();
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.eraseTitle(name)}
      help={query.data && words.eraseHelp(total)}
      action={words.erase(name)}
      onConfirm={erase}
    >
      {query.isPending && <Loading rows={3} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      <ul className="flex flex-col gap-2 text-text-2">
        {items.map(({ id, text }) => (
          <li key={id} dir="auto" className="line-clamp-3 border-l-2 border-line-2 pl-3 break-words">
            {text}
          </li>
        ))}
        {total > items.length && <li className="text-dense text-text-3">{words.andMore(total - items.length)}</li>}
      </ul>
    </Confirm>
  );
}
