import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Radio } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { formQuery } from '../../forms/form-query.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { t } from '../../text/en.ts';
import { MadeSecrets } from '../../triggers/made-secrets.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { ChannelDetails } from './channel-details.tsx';
import { ChannelRow } from './channel-row.tsx';
import { type Deployment, deploymentsQuery } from './deployments.ts';

const ChannelDialog = lazyPart(() =>
  import('./channel-dialog.tsx').then(({ ChannelDialog }) => ({ default: ChannelDialog })),
);
const words = agentTabTexts.channels;

/** Where people reach the agent; the chosen channel is in the address. */
export function ChannelsPage() {
  const { mayEdit } = useEditor();
  const { agent } = useDraft();
  const { channel: chosenId } = useSearch({ from: '/signed-in/w/$w/agents/$id/channels' });
  const navigate = useNavigate({ from: '/w/$w/agents/$id/channels' });
  const query = useQuery({ ...deploymentsQuery(useClient(), useWorkspace().id, agent.id), enabled: mayEdit });
  const form = useQuery(formQuery('channels'));
  const [edited, setEdited] = useState<Deployment | 'new'>();
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>();
  const choose = (channel: string | undefined) => void navigate({ search: { channel }, replace: true });
  const items = query.data ?? [];
  const chosen = items.find(({ id }) => id === chosenId) ?? (chosenId ? undefined : items[0]);
  // Deployments tell addresses that let everybody in: the server shows them to editors only.
  if (!mayEdit) return <EmptyState title={words.mayNot} help={words.mayNotHelp} />;
  const labelOf = (key: string) => form.data?.fields.find((field) => field.key === key)?.label ?? key;
  const addButton = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setEdited('new')}>
      {words.add}
    </Button>
  );
  const dialogs = (
    <Suspense>
      {edited && form.data && (
        <ChannelDialog
          form={form.data}
          deployment={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={(id, made) => {
            setEdited(undefined);
            setSecrets(made);
            choose(id);
          }}
        />
      )}
      {secrets && Object.keys(secrets).length > 0 && (
        <MadeSecrets
          secrets={Object.entries(secrets).map(([key, value]) => ({ label: labelOf(key), value }))}
          onClose={() => setSecrets(undefined)}
        />
      )}
    </Suspense>
  );
  if (query.isSuccess && items.length === 0)
    return (
      <div className="flex-1 overflow-y-auto">
        <EmptyState icon={<Radio size={20} aria-hidden />} {...words.none}>
          {addButton}
        </EmptyState>
        {dialogs}
      </div>
    );
  const failed = query.error ?? form.error;
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <section
        aria-label={words.list}
        className={cx(
          'w-full overflow-y-auto border-line narrow:w-110 narrow:flex-none narrow:border-r',
          chosenId && 'max-narrow:hidden',
        )}
      >
        <div className="flex justify-end px-4 py-3">{addButton}</div>
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {failed && <ErrorState error={failed} onRetry={() => void Promise.all([query.refetch(), form.refetch()])} />}
        <ul className="divide-y divide-line border-y border-line">
          {items.map((deployment) => (
            <ChannelRow
              key={deployment.id}
              deployment={deployment}
              isChosen={deployment.id === chosen?.id}
              onChoose={() => choose(deployment.id)}
            />
          ))}
        </ul>
      </section>
      <div className={cx('min-w-0 flex-1 overflow-y-auto', !chosenId && 'max-narrow:hidden')}>
        {chosen && form.data ? (
          <ChannelDetails
            key={chosen.id}
            deployment={chosen}
            form={form.data}
            onEdit={() => setEdited(chosen)}
            onBack={() => choose(undefined)}
            onSecrets={setSecrets}
          />
        ) : (
          query.isSuccess &&
          !chosen && (
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
