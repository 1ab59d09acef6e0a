import { useNavigate, useSearch } from '@tanstack/react-router';
import { TriggerList } from '../../triggers/trigger-list.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';

/** What starts the agent by itself. */
export function TriggersPage() {
  const { mayEdit } = useEditor();
  const { agent } = useDraft();
  const { trigger } = useSearch({ from: '/signed-in/w/$w/agents/$id/triggers' });
  const navigate = useNavigate({ from: '/w/$w/agents/$id/triggers' });
  return (
    <TriggerList
      owner={{ kind: 'agent', id: agent.id }}
      mayEdit={mayEdit}
      chosenId={trigger}
      onChoose={(id) => void navigate({ search: { trigger: id }, replace: true })}
    />
  );
}
