import { useId, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Select } from '../../ui/select.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useRefresh } from '../common/queries.ts';
import { useAction } from '../common/use-action.ts';
import { usePages } from '../common/use-pages.ts';
import type { Webhook, WebhookDelivery } from './webhooks.ts';

const words = connectionTexts.webhooks;
const tones = { pending: 'info', delivered: 'ok', failed: 'bad' } as const;
type Status = keyof typeof tones;

interface DeliveriesProps {
  webhook: Webhook;
  status: string | undefined;
  onStatus: (status: string | undefined) => void;
}

/** What was posted, the newest first, with what came back. */
export function WebhookDeliveries({ webhook, status, onStatus }: DeliveriesProps) {
  const client = useClient();
  const title = useId();
  const filter = status && status in tones ? { status: status as Status } : {};
  const { query, items } = usePages(
    ['webhook-deliveries', webhook.id, filter],
    (page) => client.webhooks.listDeliveries(webhook.id, { page, size: 20, ...filter }),
    // No event tells that a delivery has arrived.
    { refetchInterval: (loaded) => (loaded.some((delivery) => delivery.status === 'pending') ? 2000 : false) },
  );
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <h3 id={title} className="text-section">
          {words.deliveries}
        </h3>
        <span className="text-dense text-text-3">{words.deliveriesHelp}</span>
        <Select
          aria-label={words.status}
          value={status ?? ''}
          empty={words.allStates}
          options={Object.entries(words.statuses).map(([value, label]) => ({ value, label }))}
          onChange={(value) => onStatus(value || undefined)}
          className="ml-auto w-36"
        />
      </div>
      {query.isPending && <Loading rows={3} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.isSuccess && items.length === 0 && (
        <p className="text-dense text-text-2">{status ? words.noneOfState : words.noDeliveries}</p>
      )}
      {items.length > 0 && (
        <ul aria-label={words.deliveries} className="divide-y divide-line rounded-3 border border-line">
          {items.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} mayTest={webhook.may?.['test'] === true} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.ui.loadMore}
        </Button>
      )}
    </section>
  );
}

function DeliveryRow({ delivery, mayTest }: { delivery: WebhookDelivery; mayTest: boolean }) {
  const { id, webhook_id, event, status, attempts, response_status, error, payload, created_at } = delivery;
  const client = useClient();
  const refresh = useRefresh('webhook-deliveries');
  const { busy, run } = useAction();
  const [isOpen, setOpen] = useState(false);
  const name = words.eventNames[event] ?? event;
  const facts = [
    attempts > 0 && words.attempts(attempts),
    response_status !== null && words.answered(response_status),
    delivery.redelivery_of && words.repeated,
    delivery.next_attempt_at && words.nextTry(sayTime(delivery.next_attempt_at)),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5 text-dense">
      <Chip tone={tones[status]} dot>
        {words.statuses[status]}
      </Chip>
      <span className="font-medium">{name}</span>
      <time dateTime={created_at} title={sayExactTime(created_at)} className="text-text-3">
        {sayTime(created_at)}
      </time>
      <span className="num text-text-3">{facts.filter(Boolean).join(' · ')}</span>
      <Button
        size="small"
        className="ml-auto"
        busy={busy}
        aria-label={words.againOf(name)}
        refused={!mayTest && resourceTexts.needs('integrations_edit')}
        onClick={() => void run(() => client.webhooks.redeliver(webhook_id, id).then(refresh), words.resent)}
      >
        {words.again}
      </Button>
      {error && status !== 'delivered' && <p className="w-full break-words text-bad">{error.message}</p>}
      <details className="w-full" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="cursor-pointer text-text-2 hover:text-text">{words.payload}</summary>
        {isOpen && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard.
          <pre tabIndex={0} className="mt-1 max-h-72 overflow-auto rounded-2 bg-sunken p-3 font-mono text-code">
            {JSON.stringify(payload, null, 2)}
          </pre>
        )}
      </details>
    </li>
  );
}
