import { Globe, Mail, MessageSquare, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { HealthChip } from '../../triggers/health-chip.tsx';
import { cx } from '../../ui/cx.ts';
import { Switch } from '../../ui/switch.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { type Deployment, useRefreshDeployments } from './deployments.ts';

const words = agentTabTexts.channels;
const icons = { web: Globe, webhook: Webhook, slack: MessageSquare, teams: MessageSquare, email: Mail };

interface ChannelRowProps {
  deployment: Deployment;
  isChosen: boolean;
  onChoose: () => void;
}

export function ChannelRow({ deployment, isChosen, onChoose }: ChannelRowProps) {
  const { channel, name, health, last_message_at } = deployment;
  const Icon = icons[channel];
  return (
    <li className={cx('flex items-center gap-3 pr-4', isChosen && 'narrow:bg-accent-soft')}>
      <button
        type="button"
        aria-current={isChosen || undefined}
        onClick={onChoose}
        className="flex min-w-0 flex-1 items-start gap-3 py-3 pl-4 text-left -outline-offset-2"
      >
        <Icon size={16} aria-hidden className="mt-0.5 flex-none text-text-3" />
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="flex flex-wrap items-center gap-2">
            <span className="truncate font-medium">{name}</span>
            <HealthChip health={health} />
          </span>
          <span className="text-dense text-text-2">
            {words.kinds[channel]} · {last_message_at ? words.lastMessage(sayTime(last_message_at)) : words.noMessage}
          </span>
        </span>
      </button>
      <ChannelSwitch deployment={deployment} />
    </li>
  );
}

/** Whether messages are accepted. */
function ChannelSwitch({ deployment }: { deployment: Deployment }) {
  const { id, agent_id, name, enabled, etag, may } = deployment;
  const client = useClient();
  const refresh = useRefreshDeployments();
  const [busy, setBusy] = useState(false);
  const change = async (on: boolean) => {
    setBusy(true);
    try {
      await client.deployments.update(agent_id, id, { enabled: on }, { ifMatch: etag });
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
    setBusy(false);
  };
  return (
    <Switch
      label={words.on(name)}
      checked={enabled}
      disabled={busy || !may?.['edit']}
      onChange={(on) => void change(on)}
    />
  );
}
