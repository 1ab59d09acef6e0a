import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, Ellipsis, PanelRight } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageName } from '../../ui/page.tsx';
import { ConversationMenu } from '../list/conversation-menu.tsx';
import { chatSlots } from '../parts/slots.ts';
import type { Thread } from '../thread/thread-store.ts';
import { printThread } from '../thread/use-printing.ts';
import type { ConversationRecord, useAgent } from './use-conversation.ts';

interface ConversationHeaderProps {
  conversation: ConversationRecord;
  agent: ReturnType<typeof useAgent>;
  thread: Thread;
  panel: 'details' | undefined;
  onPanel: (panel: 'details' | undefined) => void;
}

/** "Support Desk · v12". */
function AgentChip({ conversation, agent }: Pick<ConversationHeaderProps, 'conversation' | 'agent'>) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const version = conversation.assistant_version_id;
  const { data } = useQuery({
    queryKey: [w, 'agents', agent?.id, 'versions', version],
    queryFn: () => client.agentVersions.get(agent?.id ?? '', version ?? ''),
    enabled: Boolean(agent && version),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!agent) return null;
  return (
    <span className="max-phone:hidden">
      <Chip>{data ? `${agent.name} · v${data.number}` : agent.name}</Chip>
    </span>
  );
}

export function ConversationHeader({ conversation, agent, thread, panel, onPanel }: ConversationHeaderProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { id } = conversation;
  const marks = useQuery({
    queryKey: [w, 'conversations', id, 'marks'],
    queryFn: () => client.conversations.getMarks(id),
    retry: false,
  }).data;
  const name = conversation.name ?? t.chat.list.untitled;
  const { HeaderActions, DetailsPanel } = chatSlots;
  return (
    <header className="flex min-h-13 flex-none items-center gap-2.5 border-b border-line px-5 py-1.5 max-narrow:gap-1 max-narrow:px-2">
      <Link
        to="/w/$w/chat"
        params={{ w }}
        search={(before) => ({ ...before, new: undefined })}
        aria-label={t.chat.list.back}
        className="grid size-11 flex-none place-items-center rounded-2 text-text-2 hover:bg-sunken narrow:hidden"
      >
        <ChevronLeft size={20} aria-hidden />
      </Link>
      <span className="max-narrow:hidden">
        <Avatar name={agent?.name ?? t.shell.product} kind="agent" picture={agent?.image_url} />
      </span>
      <div className="min-w-0 flex-1 max-phone:text-center">
        <PageName>{name}</PageName>
        {agent && <p className="truncate text-caption text-text-3 phone:hidden">{agent.name}</p>}
      </div>
      <AgentChip conversation={conversation} agent={agent} />
      {HeaderActions && <HeaderActions conversation={conversation} thread={thread} />}
      <ConversationMenu
        id={id}
        name={name}
        onPrint={() => void printThread(thread)}
        marks={marks && { pinned: marks.pinned_at !== null, archived: marks.archived_at !== null, unread: false }}
        trigger={<IconButton label={t.chat.menu.more} icon={<Ellipsis size={16} />} />}
      />
      {DetailsPanel && (
        <IconButton
          label={panel ? t.chat.details.hide : t.chat.details.show}
          icon={<PanelRight size={16} />}
          on={panel === 'details'}
          onClick={() => onPanel(panel ? undefined : 'details')}
        />
      )}
    </header>
  );
}
