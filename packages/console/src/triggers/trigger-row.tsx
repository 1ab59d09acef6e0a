import { CalendarClock, MessageSquare, Webhook, Zap } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../api/session.ts';
import { sayMoment } from '../lib/time.ts';
import { agentTabTexts } from '../text/agent-tabs.ts';
import { cx } from '../ui/cx.ts';
import { Switch } from '../ui/switch.tsx';
import { sayFailure } from '../ui/toast.tsx';
import { HealthChip } from './health-chip.tsx';
import { sayWhen, type Trigger, useRefreshTriggers } from './triggers.ts';

const words = agentTabTexts.triggers;
const icons = { schedule: CalendarClock, webhook: Webhook, event: Zap, slack: MessageSquare, teams: MessageSquare };

interface TriggerRowProps {
  trigger: Trigger;
  isChosen: boolean;
  onChoose: () => void;
}

export function TriggerRow({ trigger, isChosen, onChoose }: TriggerRowProps) {
  const Icon = icons[trigger.definition.type];
  const next = trigger.next_fires[0];
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
            <span className="truncate font-medium">{trigger.name}</span>
            <HealthChip health={trigger.health} />
          </span>
          <span className="text-dense text-text-2">{sayWhen(trigger)}</span>
          {next && <span className="num text-caption text-text-2">{words.next(sayMoment(next))}</span>}
        </span>
      </button>
      <TriggerSwitch trigger={trigger} />
    </li>
  );
}

/** Whether the trigger fires by itself. */
function TriggerSwitch({ trigger }: { trigger: Trigger }) {
  const client = useClient();
  const refresh = useRefreshTriggers();
  const [busy, setBusy] = useState(false);
  const change = async (enabled: boolean) => {
    setBusy(true);
    try {
      await client.triggers.update(trigger.id, { enabled }, { ifMatch: trigger.etag });
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
    setBusy(false);
  };
  return (
    <Switch
      label={words.on(trigger.name)}
      checked={trigger.enabled}
      disabled={busy || !trigger.may?.['edit']}
      onChange={(on) => void change(on)}
    />
  );
}
