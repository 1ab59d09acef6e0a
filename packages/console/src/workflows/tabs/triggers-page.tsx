import { useNavigate, useSearch } from '@tanstack/react-router';
import { TriggerList } from '../../triggers/trigger-list.tsx';
import { useEditor, useFlow } from '../editor/editor-context.ts';

/** What starts the workflow by itself. */
export function TriggersPage() {
  const { mayEdit } = useEditor();
  const id = useFlow((state) => state.workflow.id);
  const { trigger } = useSearch({ from: '/signed-in/w/$w/workflows/$id/triggers' });
  const navigate = useNavigate({ from: '/w/$w/workflows/$id/triggers' });
  return (
    <TriggerList
      owner={{ kind: 'workflow', id }}
      mayEdit={mayEdit}
      chosenId={trigger}
      onChoose={(next) => void navigate({ search: { trigger: next }, replace: true })}
    />
  );
}
