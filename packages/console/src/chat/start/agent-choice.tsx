import { ChevronDown } from 'lucide-react';
import { t } from '../../text/en.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Menu } from '../../ui/menu.tsx';

interface AgentChoiceProps {
  agents: readonly { id: string; name: string; image_url: string | null }[];
  value: string;
  onChange: (id: string) => void;
}

/** Which agent is asked. */
export function AgentChoice({ agents, value, onChange }: AgentChoiceProps) {
  const agent = agents.find(({ id }) => id === value);
  if (!agent) return null;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`${t.chat.composer.agent}: ${agent.name}`}
          className="flex h-7.5 max-w-60 items-center gap-1.5 rounded-2 px-1.5 text-dense font-medium text-text-2 hover:bg-sunken pointer-coarse:h-11"
        >
          <Avatar name={agent.name} kind="agent" picture={agent.image_url} size={18} />
          <span className="truncate">{agent.name}</span>
          <ChevronDown size={14} aria-hidden className="flex-none" />
        </button>
      }
      groups={[agents.map(({ id, name }) => ({ label: name, checked: id === value, onSelect: () => onChange(id) }))]}
    />
  );
}
