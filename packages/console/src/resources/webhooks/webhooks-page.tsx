import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { Suspense, useDeferredValue, useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayTime } from '../../lib/time.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { MadeSecrets } from '../../triggers/made-secrets.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.tsx';
import { FindBar, Listed, useRows } from '../common/listed.tsx';
import { useRefresh } from '../common/queries.ts';
import { Row } from '../common/row.tsx';
import { TwoPanes } from '../common/two-panes.tsx';
import { useAction } from '../common/use-action.ts';
import { usePages } from '../common/use-pages.ts';
import { WebhookDetails } from './webhook-details.tsx';
import { sayEvents, stateOf, type Webhook } from './webhooks.ts';

const WebhookDialog = lazyPart(() =>
  import('./webhook-dialog.tsx').then(({ WebhookDialog }) => ({ default: WebhookDialog })),
);
const words = connectionTexts.webhooks;

/** Who is told of events. The chosen webhook and the state of its deliveries are in the address. */
export function WebhooksPage() {
  const { search = '', webhook: chosenId, status } = useSearch({ from: '/signed-in/w/$w/resources/$tab' });
  const navigate = useNavigate({ from: '/w/$w/resources/$tab' });
  const client = useClient();
  const mayEdit = useMay()('integrations_edit');
  const { list, focusAt } = useRows();
  const [edited, setEdited] = useState<Webhook | 'new'>();
  const [secret, setSecret] = useState<string>();
  const asked = useDeferredValue(search.trim());
  const pages = usePages(['webhooks', 'list', asked], (page) =>
    client.webhooks.list({ page, size: 50, ...(asked && { search: asked }) }),
  );
  const chosen = pages.items.find(({ id }) => id === chosenId);
  const show = (next: Record<string, string | undefined>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const addButton = (
    <Button
      look="primary"
      icon={<Plus size={15} aria-hidden />}
      refused={!mayEdit && resourceTexts.needs('integrations_edit')}
      onClick={() => setEdited('new')}
    >
      {words.add}
    </Button>
  );
  const rows = (
    <>
      <FindBar
        label={words.find}
        value={search}
        onChange={(text) => show({ search: text || undefined })}
        count={pages.query.data && words.count(pages.total)}
        actions={addButton}
      />
      <Listed
        label={words.list}
        pages={pages}
        listRef={list}
        none={{ ...words.none, icon: <WebhookIcon size={20} aria-hidden /> }}
        first={addButton}
        filtered={asked ? { title: words.noneFound, onClear: () => show({ search: undefined }) } : undefined}
        rowOf={(webhook) => {
          const state = stateOf(webhook);
          return (
            <Row
              key={webhook.id}
              icon={<WebhookIcon size={16} />}
              title={webhook.name}
              isOpen={webhook.id === chosenId}
              onOpen={() => show({ webhook: webhook.id, status: undefined })}
              chips={
                <Chip tone={state.tone} dot>
                  {state.label}
                </Chip>
              }
              end={<WebhookSwitch webhook={webhook} />}
            >
              <p className="truncate">{sayEvents(webhook.events)}</p>
              {webhook.last_delivered_at && (
                <p className="text-text-3">{words.lastSent(sayTime(webhook.last_delivered_at))}</p>
              )}
            </Row>
          );
        }}
      />
    </>
  );
  return (
    <>
      <TwoPanes
        list={rows}
        chosen={
          chosen ? (
            <WebhookDetails
              key={chosen.id}
              webhook={chosen}
              status={status}
              onStatus={(next) => show({ status: next })}
              onEdit={() => setEdited(chosen)}
              onBack={() => {
                show({ webhook: undefined, status: undefined });
                focusAt(pages.items.indexOf(chosen));
              }}
              onDeleted={() => focusAt(pages.items.indexOf(chosen))}
            />
          ) : chosenId && pages.query.isSuccess ? (
            <EmptyState title={t.failures.gone.title} help={t.failures.gone.help}>
              <Button onClick={() => show({ webhook: undefined })}>{words.toList}</Button>
            </EmptyState>
          ) : undefined
        }
      />
      <Suspense>
        {edited && (
          <WebhookDialog
            webhook={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
            onSaved={(saved, made) => {
              setEdited(undefined);
              setSecret(made);
              show({ webhook: saved.id });
            }}
          />
        )}
        {secret && (
          <MadeSecrets secrets={[{ label: words.secretOnce, value: secret }]} onClose={() => setSecret(undefined)} />
        )}
      </Suspense>
    </>
  );
}

/** Whether events are posted. Switching it on begins anew after failures. */
function WebhookSwitch({ webhook }: { webhook: Webhook }) {
  const { id, name, enabled, etag, may } = webhook;
  const client = useClient();
  const refresh = useRefresh('webhooks');
  const { busy, run } = useAction();
  return (
    <Switch
      label={words.onOf(name)}
      checked={enabled}
      disabled={busy || !may?.['edit']}
      onChange={(on) => void run(() => client.webhooks.update(id, { enabled: on }, { ifMatch: etag })).then(refresh)}
    />
  );
}
