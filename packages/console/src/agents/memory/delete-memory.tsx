import { useClient } from '../../api/session.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useDraft } from '../editor/editor-context.ts';
import { type Memory, useRefreshMemories } from './memories.ts';

const words = agentTabTexts.memory;

interface DeleteMemoryProps {
  memory: Memory;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteMemory({ memory, onClose, onDeleted }: DeleteMemoryProps) {
  const client = useClient();
  const { agent } = useDraft();
  const refresh = useRefreshMemories(agent.id);
  const remove = async () => {
    await client.agentMemories.delete(agent.id, memory.id);
    await refresh();
    sayToast({ text: words.deleted });
    onDeleted();
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.deleteTitle}
      help={words.deleteHelp}
      action={words.deleteSubmit}
      onConfirm={remove}
    >
      <blockquote dir="auto" className="border-l-2 border-line-2 pl-3 break-words whitespace-pre-wrap text-text-2">
        {memory.text}
      </blockquote>
    </Confirm>
  );
}
