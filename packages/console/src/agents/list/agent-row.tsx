import type { ItemOf } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { Copy, Download, MoreHorizontal, Trash2, Undo2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { agentTexts } from '../../text/agents.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useAgentActions } from './use-agent-actions.ts';

const DeleteAgent = lazyPart(() => import('./delete-agent.tsx').then(({ DeleteAgent }) => ({ default: DeleteAgent })));
export type AgentSummary = ItemOf<'agents.list', 'summary'>;
const words = agentTexts.list;

export function AgentRow({ agent }: { agent: AgentSummary }) {
  const { id: w } = useWorkspace();
  const may = useMay();
  const actions = useAgentActions();
  const [deleting, setDeleting] = useState(false);
  const isDeleted = agent.deleted_at !== null;
  const time = agent.deleted_at ?? agent.last_updated_at;
  const refused = !may('agents_edit') && agentTexts.needsEdit;
  const mayDelete = may('agents_delete');
  return (
    <li className="relative flex min-h-15 items-center gap-3 px-3.5 py-2 hover:bg-bg">
      <Avatar name={agent.name} kind="agent" picture={agent.image_url} size={32} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          {isDeleted ? (
            <span className="truncate font-medium">{agent.name}</span>
          ) : (
            <Link
              to="/w/$w/agents/$id/build"
              params={{ w, id: agent.id }}
              data-row-link
              className="truncate font-medium text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-2 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {agent.name}
            </Link>
          )}
          {!isDeleted && (
            <Chip tone="ok" dot>
              {words.live}
            </Chip>
          )}
          {agent.draft && !isDeleted && (
            <Chip tone="accent">
              {agent.draft.by_actor?.name ? words.draftBy(agent.draft.by_actor.name) : words.draft}
            </Chip>
          )}
        </p>
        {agent.description && <p className="truncate text-dense text-text-2">{agent.description}</p>}
        <p className="hidden text-caption text-text-3 max-phone:block">{words.changed(sayTime(time))}</p>
      </div>
      <Tooltip text={sayExactTime(time)}>
        <time dateTime={time} className="relative z-10 text-dense whitespace-nowrap text-text-3 max-phone:hidden">
          {isDeleted ? words.deletedAt(sayTime(time)) : sayTime(time)}
        </time>
      </Tooltip>
      <span className="relative z-10">
        {isDeleted ? (
          <Button
            size="small"
            icon={<Undo2 size={14} />}
            refused={!mayDelete && agentTexts.mayNotDelete}
            onClick={() => void actions.restore(agent)}
          >
            {agentTexts.restore}
          </Button>
        ) : (
          <Menu
            trigger={<IconButton label={words.more(agent.name)} icon={<MoreHorizontal size={16} />} />}
            groups={[
              [
                {
                  label: agentTexts.duplicate,
                  icon: <Copy size={15} />,
                  refused,
                  onSelect: () => void actions.duplicate(agent),
                },
                {
                  label: agentTexts.exportIt,
                  icon: <Download size={15} />,
                  refused,
                  onSelect: () => void actions.download(agent),
                },
              ],
              [
                {
                  ...{ label: agentTexts.remove.action, icon: <Trash2 size={15} />, danger: true },
                  refused: !mayDelete && agentTexts.mayNotDelete,
                  onSelect: () => setDeleting(true),
                },
              ],
            ]}
          />
        )}
      </span>
      <Suspense>{deleting && <DeleteAgent agent={agent} onClose={() => setDeleting(false)} />}</Suspense>
    </li>
  );
}
