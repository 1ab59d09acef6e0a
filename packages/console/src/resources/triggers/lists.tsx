import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarClock, Globe, Mail, MessageSquare, Webhook, Zap } from 'lucide-react';
import { useDeferredValue } from 'react';
import { type useClient, useWorkspace } from '../../api/session.ts';
import { sayMoment, sayTime } from '../../lib/time.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { resourceTexts } from '../../text/resources.ts';
import { HealthChip } from '../../triggers/health-chip.tsx';
import { Listed, useRows } from '../common/listed.tsx';
import { Row } from '../common/row.tsx';
import { usePages } from '../common/use-pages.ts';

const words = resourceTexts.triggers;
const triggerIcons = {
  schedule: CalendarClock,
  webhook: Webhook,
  event: Zap,
  slack: MessageSquare,
  teams: MessageSquare,
};
const channelIcons = { web: Globe, webhook: Webhook, slack: MessageSquare, teams: MessageSquare, email: Mail };

interface ListProps {
  client: ReturnType<typeof useClient>;
  filter: { search: string; failing: boolean };
  onClear: () => void;
}

function useFilter({ search, failing }: ListProps['filter']) {
  const asked = useDeferredValue(search);
  return { ...(asked && { search: asked }), ...(failing && { failing: true }) };
}

const ToAgents = () => {
  const { id: w } = useWorkspace();
  return (
    <Link to="/w/$w/agents" params={{ w }} className="font-medium">
      {words.toAgents}
    </Link>
  );
};

/** Each row leads to its trigger, where its agent or workflow has it. */
export function TriggerList({ client, filter, onClear }: ListProps) {
  const { id: w } = useWorkspace();
  const navigate = useNavigate();
  const { list } = useRows();
  const asked = useFilter(filter);
  const pages = usePages(['triggers', 'all', asked], (page) => client.triggers.list({ page, size: 50, ...asked }));
  return (
    <Listed
      label={words.shows.triggers}
      pages={pages}
      listRef={list}
      none={{ ...words.none, icon: <CalendarClock size={20} aria-hidden /> }}
      first={<ToAgents />}
      filtered={filter.search || filter.failing ? { title: words.noneFound, onClear } : undefined}
      rowOf={({ id, name, definition, health, assistant_id, workflow_id, last_fired_at, last_error, next_fires }) => {
        const Icon = triggerIcons[definition.type];
        const facts = [
          words.types[definition.type] ?? definition.type,
          assistant_id ? words.ofAgent : words.ofWorkflow,
          last_fired_at ? words.lastFired(sayTime(last_fired_at)) : words.neverFired,
          next_fires[0] && words.next(sayMoment(next_fires[0])),
        ];
        const owner = assistant_id ? `agents/${assistant_id}` : `workflows/${workflow_id}`;
        return (
          <Row
            key={id}
            icon={<Icon size={16} />}
            title={name}
            chips={<HealthChip health={health} />}
            onOpen={() => void navigate({ href: `/w/${w}/${owner}/triggers?trigger=${id}` })}
          >
            <p className="num">{facts.filter(Boolean).join(' · ')}</p>
            {last_error && <p className="break-words text-bad">{last_error.message}</p>}
          </Row>
        );
      }}
    />
  );
}

/** Each row leads to its channel at its agent. */
export function ChannelList({ client, filter, onClear }: ListProps) {
  const { id: w } = useWorkspace();
  const navigate = useNavigate();
  const { list } = useRows();
  const asked = useFilter(filter);
  const pages = usePages(['deployments', 'all', asked], (page) =>
    client.deployments.listAll({ page, size: 50, ...asked }),
  );
  return (
    <Listed
      label={words.shows.channels}
      pages={pages}
      listRef={list}
      none={{ ...words.noChannels, icon: <Globe size={20} aria-hidden /> }}
      first={<ToAgents />}
      filtered={filter.search || filter.failing ? { title: words.noneFound, onClear } : undefined}
      rowOf={({ id, agent_id, name, channel, health, last_message_at, last_error }) => {
        const Icon = channelIcons[channel];
        const { kinds, lastMessage, noMessage } = agentTabTexts.channels;
        const facts = [
          kinds[channel],
          words.answers,
          last_message_at ? lastMessage(sayTime(last_message_at)) : noMessage,
        ];
        return (
          <Row
            key={id}
            icon={<Icon size={16} />}
            title={name}
            chips={<HealthChip health={health} />}
            onOpen={() => void navigate({ href: `/w/${w}/agents/${agent_id}/channels?channel=${id}` })}
          >
            <p className="num">{facts.join(' · ')}</p>
            {last_error && <p className="break-words text-bad">{last_error.message}</p>}
          </Row>
        );
      }}
    />
  );
}
