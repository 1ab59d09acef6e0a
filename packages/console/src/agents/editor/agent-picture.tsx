import { ImageUp, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useClient } from '../../api/session.ts';
import { agentTexts } from '../../text/agents.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';

const words = agentTexts.head.picture;

interface AgentPictureProps {
  agent: { id: string; name: string; image_url: string | null };
  mayEdit: boolean;
  /** The agent was changed: load it again. */
  onChanged: () => Promise<unknown>;
}

/** The picture of the agent; a press changes it. It counts at once: it belongs to the agent and not to a version. */
export function AgentPicture({ agent, mayEdit, onChanged }: AgentPictureProps) {
  const client = useClient();
  const file = useRef<HTMLInputElement>(null);
  const avatar = <Avatar name={agent.name} kind="agent" picture={agent.image_url} />;
  if (!mayEdit) return avatar;
  const act = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      await onChanged();
      sayToast({ text: done });
    } catch (error) {
      sayFailure(error);
    }
  };
  const upload = (picture: File | undefined) =>
    picture && act(() => client.agents.setPicture(agent.id, picture), words.changed);
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={words.change}
            className="relative rounded-2 after:absolute after:-inset-1.5 hover:opacity-80"
          >
            {avatar}
          </button>
        }
        groups={[
          [
            { label: words.upload, icon: <ImageUp size={15} />, onSelect: () => file.current?.click() },
            agent.image_url !== null && {
              label: words.remove,
              icon: <Trash2 size={15} />,
              danger: true,
              onSelect: () => void act(() => client.agents.removePicture(agent.id), words.removed),
            },
          ],
        ]}
      />
      <input
        ref={file}
        type="file"
        hidden
        aria-label={words.upload}
        accept="image/png,image/jpeg,image/webp,image/gif,image/bmp"
        onChange={({ target }) => {
          void upload(target.files?.[0]);
          target.value = '';
        }}
      />
    </>
  );
}
