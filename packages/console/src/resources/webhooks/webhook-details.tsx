import { Ellipsis, Pencil, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { sayMoment, sayTime } from '../../lib/time.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../common/queries.ts';
import { Details, Fact, Facts } from '../common/two-panes.tsx';
import { useAction } from '../common/use-action.ts';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { sayEvents, stateOf, type Webhook } from './webhooks.ts';

const words = connectionTexts.webhooks;

interface WebhookDetailsProps {
  webhook: Webhook;
  status: string | undefined;
  onStatus: (status: string | undefined) => void;
  onEdit: () => void;
  onBack: () => void;
  onDeleted: () => void;
}

/** One webhook: where it posts to, how it does, and its deliveries. */
export function WebhookDetails({ webhook, status, onStatus, onEdit, onBack, onDeleted }: WebhookDetailsProps) {
  const { id, name, url, events, failing_since, notice, last_error, last_delivered_at, may } = webhook;
  const client = useClient();
  const refresh = useRefresh('webhooks');
  const refreshDeliveries = useRefresh('webhook-deliveries');
  const { busy, run } = useAction();
  const [asking, setAsking] = useState(false);
  const state = stateOf(webhook);
  const needsEdit = resourceTexts.needs('integrations_edit');
  return (
    <Details
      name={name}
      onBack={onBack}
      chips={
        <Chip tone={state.tone} dot>
          {state.label}
        </Chip>
      }
      actions={
        <>
          <Button
            icon={<Send size={14} aria-hidden />}
            busy={busy}
            refused={!may?.['test'] && needsEdit}
            onClick={() => void run(() => client.webhooks.test(id).then(refreshDeliveries), words.tested)}
          >
            {words.test}
          </Button>
          <Button icon={<Pencil size={14} aria-hidden />} refused={!may?.['edit'] && needsEdit} onClick={onEdit}>
            {resourceTexts.edit}
          </Button>
          <Menu
            trigger={<IconButton label={resourceTexts.more(name)} icon={<Ellipsis size={16} />} />}
            groups={[
              [
                {
                  ...{ label: t.ui.delete, icon: <Trash2 size={14} />, danger: true, onSelect: () => setAsking(true) },
                  refused: !may?.['delete'] && needsEdit,
                },
              ],
            ]}
          />
        </>
      }
    >
      {notice && (
        <Banner tone="bad" title={words.switchedOff}>
          {notice.message}
        </Banner>
      )}
      {failing_since && !notice && (
        <Banner tone="bad" title={words.failingSince(sayMoment(failing_since))}>
          {last_error?.message}
        </Banner>
      )}
      <Facts>
        <Fact name={words.address}>
          <span className="font-mono text-code break-all">{url}</span>
        </Fact>
        <Fact name={words.events}>{sayEvents(events)}</Fact>
        {last_delivered_at && <Fact name={words.statuses.delivered}>{sayTime(last_delivered_at)}</Fact>}
      </Facts>
      <WebhookDeliveries webhook={webhook} status={status} onStatus={onStatus} />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle(name)}
        help={words.deleteHelp}
        action={words.deleteSubmit}
        onConfirm={async () => {
          await client.webhooks.delete(id);
          sayToast({ text: resourceTexts.deleted(name) });
          onBack();
          await refresh();
          onDeleted();
        }}
      />
    </Details>
  );
}
