import { ArrowLeft, Ellipsis, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import type { Form } from '../../forms/form-types.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { agentTexts } from '../../text/agents.ts';
import { t } from '../../text/en.ts';
import { HealthChip } from '../../triggers/health-chip.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { ChannelAddresses } from './channel-addresses.tsx';
import { ChannelFacts } from './channel-facts.tsx';
import { ChannelState } from './channel-state.tsx';
import { type Deployment, useRefreshDeployments } from './deployments.ts';

const words = agentTabTexts.channels;

interface ChannelDetailsProps {
  deployment: Deployment;
  form: Form;
  onEdit: () => void;
  onBack: () => void;
  onSecrets: (made: Readonly<Record<string, string>>) => void;
}

/** One channel: how it does, its addresses, and how it is set. */
export function ChannelDetails({ deployment, form, onEdit, onBack, onSecrets }: ChannelDetailsProps) {
  const { id, agent_id, channel, name, health, may } = deployment;
  const client = useClient();
  const refresh = useRefreshDeployments();
  const [asking, setAsking] = useState<'rotate' | 'delete'>();
  const refused = !may?.['edit'] && agentTexts.needsEdit;
  const isWeb = channel === 'web';
  // Slack and Teams make their own secrets.
  const mayRotate = isWeb || channel === 'webhook' || channel === 'email';
  const rotate = async () => {
    const made = await client.deployments.rotate(agent_id, id);
    await refresh();
    sayToast({ text: isWeb ? words.rotatedPage : words.rotatedSecret });
    onSecrets(made.made_secrets);
  };
  const remove = async () => {
    await client.deployments.delete(agent_id, id);
    sayToast({ text: words.deleted(name) });
    onBack();
    await refresh();
  };
  return (
    <article aria-label={name} className="flex max-w-180 flex-col gap-5 p-5 max-narrow:p-3">
      <header className="flex flex-wrap items-center gap-2">
        <span className="narrow:hidden">
          <IconButton label={t.ui.back} icon={<ArrowLeft size={16} />} onClick={onBack} />
        </span>
        <h2 className="min-w-0 truncate text-section">{name}</h2>
        <HealthChip health={health} />
        <span className="ml-auto flex gap-2">
          <Button icon={<Pencil size={14} aria-hidden />} refused={refused} onClick={onEdit}>
            {words.edit}
          </Button>
          <Menu
            trigger={<IconButton label={words.more(name)} icon={<Ellipsis size={16} />} />}
            groups={[
              [
                {
                  label: isWeb ? words.rotatePage : words.rotateSecret,
                  icon: <RefreshCw size={14} aria-hidden />,
                  refused: mayRotate ? !may?.['rotate'] && agentTexts.needsEdit : words.ownSecrets,
                  onSelect: () => setAsking('rotate'),
                },
              ],
              [
                {
                  label: t.ui.delete,
                  icon: <Trash2 size={14} aria-hidden />,
                  danger: true,
                  refused: !may?.['delete'] && agentTexts.needsEdit,
                  onSelect: () => setAsking('delete'),
                },
              ],
            ]}
          />
        </span>
      </header>
      <ChannelState deployment={deployment} />
      <ChannelAddresses deployment={deployment} />
      <ChannelFacts deployment={deployment} form={form} />
      <Confirm
        open={asking === 'rotate'}
        onClose={() => setAsking(undefined)}
        title={isWeb ? words.rotatePageTitle : words.rotateSecretTitle}
        help={isWeb ? words.rotatePageHelp : words.rotateSecretHelp}
        action={isWeb ? words.rotatePage : words.rotateSecret}
        keep={t.ui.cancel}
        onConfirm={rotate}
      />
      <Confirm
        open={asking === 'delete'}
        onClose={() => setAsking(undefined)}
        title={words.deleteTitle(name)}
        help={words.deleteHelp}
        action={words.deleteSubmit}
        onConfirm={remove}
      />
    </article>
  );
}
