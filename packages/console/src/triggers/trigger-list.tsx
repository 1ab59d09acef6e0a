import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useWorkspace } from '../api/session.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { agentTabTexts } from '../text/agent-tabs.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { EmptyState, ErrorState, Loading } from '../ui/states.tsx';
import { curlOfHook } from './curl-line.ts';
import { MadeSecrets } from './made-secrets.tsx';
import { TriggerDetails } from './trigger-details.tsx';
import { TriggerRow } from './trigger-row.tsx';
import { type Trigger, type TriggerOwner, triggersQuery } from './triggers.ts';

const TriggerDialog = lazyPart(() =>
  import('./trigger-dialog.tsx').then(({ TriggerDialog }) => ({ default: TriggerDialog })),
);
const words = agentTabTexts.triggers;

interface TriggerListProps {
  owner: TriggerOwner;
  mayEdit: boolean;
  /** The chosen trigger, which is in the address. */
  chosenId: string | undefined;
  onChoose: (id: string | undefined) => void;
}

/** What starts an agent or a workflow by itself, with the chosen trigger beside. */
export function TriggerList({ owner, mayEdit, chosenId, onChoose: choose }: TriggerListProps) {
  const query = useQuery(triggersQuery(useClient(), useWorkspace().id, owner));
  const [edited, setEdited] = useState<Trigger | 'new'>();
  const [made, setMade] = useState<{ secret: string; trigger: Trigger }>();
  const items = query.data ?? [];
  const chosen = items.find(({ id }) => id === chosenId) ?? (chosenId ? undefined : items[0]);
  const addButton = (
    <Button
      look="primary"
      icon={<Plus size={15} aria-hidden />}
      refused={!mayEdit && words.needsEdit[owner.kind]}
      onClick={() => setEdited('new')}
    >
      {words.add}
    </Button>
  );
  const dialogs = (
    <Suspense>
      {edited && (
        <TriggerDialog
          owner={owner}
          trigger={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={(saved, secret) => {
            setEdited(undefined);
            setMade(secret === undefined ? undefined : { secret, trigger: saved });
            choose(saved.id);
          }}
        />
      )}
      {made && (
        <MadeSecrets
          secrets={[
            { label: words.secret, value: made.secret },
            { label: words.curl, value: curlOfHook(location.origin, made.trigger, made.secret) },
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
    </Suspense>
  );
  if (query.isSuccess && items.length === 0)
    return (
      <div className="flex-1 overflow-y-auto">
        <EmptyState icon={<CalendarClock size={20} aria-hidden />} {...words.none[owner.kind]}>
          {addButton}
        </EmptyState>
        {dialogs}
      </div>
    );
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <section
        aria-label={words.list}
        className={cx(
          'w-full overflow-y-auto border-line narrow:w-110 narrow:flex-none narrow:border-r',
          chosenId && 'max-narrow:hidden',
        )}
      >
        {/* Shown once it is known where it stays: an empty list has it in its middle. */}
        {!query.isPending && <div className="flex justify-end px-4 py-3">{addButton}</div>}
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        <ul className="divide-y divide-line border-y border-line">
          {items.map((trigger) => (
            <TriggerRow
              key={trigger.id}
              trigger={trigger}
              isChosen={trigger.id === chosen?.id}
              onChoose={() => choose(trigger.id)}
            />
          ))}
        </ul>
      </section>
      <div className={cx('min-w-0 flex-1 overflow-y-auto', !chosenId && 'max-narrow:hidden')}>
        {chosen ? (
          <TriggerDetails
            key={chosen.id}
            trigger={chosen}
            onEdit={() => setEdited(chosen)}
            onBack={() => choose(undefined)}
          />
        ) : (
          query.isSuccess && (
            <EmptyState title={t.failures.gone.title} help={t.failures.gone.help}>
              <Button onClick={() => choose(undefined)}>{words.toList}</Button>
            </EmptyState>
          )
        )}
      </div>
      {dialogs}
    </div>
  );
}
