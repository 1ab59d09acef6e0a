import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { useClient, useWorkspace } from '../api/session.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { t } from '../text/en.ts';
import { cx } from '../ui/cx.ts';
import { Page } from '../ui/page.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { EmptyState, ErrorState, Loading } from '../ui/states.tsx';
import { HandedOver } from './handed-over.tsx';
import { InboxRow } from './inbox-row.tsx';
import { RequestDetails } from './request-details.tsx';
import type { InboxKind, InboxTab } from './routes.tsx';

const route = getRouteApi('/signed-in/w/$w/inbox');
const tabs: readonly InboxTab[] = ['pending', 'decided', 'expired'];
const tabNames = { pending: t.inbox.waiting, decided: t.inbox.answered, expired: t.inbox.expired } as const;

export function InboxPage() {
  const client = useClient();
  const { id: workspace } = useWorkspace();
  const { status = 'pending', kind, named, item } = route.useSearch();
  const navigate = route.useNavigate();
  const details = useRef<HTMLDivElement>(null);
  const answered = useRef(new Set<string>());
  const { data, error, refetch } = useQuery({
    queryKey: [workspace, 'approvals', 'inbox', status, kind, named],
    queryFn: () => client.approvals.list({ status, size: 100, ...(kind && { kind }), ...(named && { named }) }),
    placeholderData: keepPreviousData,
  });
  const items = data?.items ?? [];
  const found = items.findIndex(({ id }) => id === item);
  const chosen = items[found] ?? (item ? undefined : items[0]);

  const choose = (id: string) => navigate({ search: (old) => ({ ...old, item: id }), replace: true });
  const move = (step: number) => {
    const next = items[Math.min(items.length - 1, Math.max(0, (chosen ? items.indexOf(chosen) : -1) + step))];
    if (next) void choose(next.id).then(() => focusCard());
  };
  const focusCard = () => details.current?.querySelector<HTMLElement>('[data-request]')?.focus();
  useShortcuts([
    {
      keys: 'j',
      label: t.inbox.nextRequest,
      onPress: () => move(chosen && document.activeElement?.matches('[data-request]') ? 1 : found < 0 ? 0 : 1),
    },
    { keys: 'k', label: t.inbox.previousRequest, onPress: () => move(-1) },
    { keys: 'enter', label: t.inbox.openChat, onPress: focusCard },
  ]);

  /** The next one takes the place of the one that was answered. Answered ones stay in the list until it is loaded again. */
  const afterAnswer = () => {
    const at = chosen ? items.indexOf(chosen) : -1;
    if (chosen) answered.current.add(chosen.id);
    const isOpen = ({ id }: { id: string }) => !answered.current.has(id);
    const next = items.slice(at + 1).find(isOpen) ?? items.slice(0, Math.max(at, 0)).findLast(isOpen);
    void navigate({ search: (old) => ({ ...old, item: next?.id }), replace: true }).then(() =>
      requestAnimationFrame(focusCard),
    );
  };

  return (
    <Page
      title={t.shell.inbox}
      scrolls={false}
      beside={
        <Segmented
          label={t.inbox.status}
          value={status}
          options={tabs.map((value) => ({
            value,
            label:
              value === 'pending' && data && status === 'pending'
                ? `${tabNames[value]} ${data.total}`
                : tabNames[value],
          }))}
          onChange={(next) => navigate({ search: (old) => ({ ...old, status: next, item: undefined }) })}
        />
      }
      actions={
        <>
          <Select
            aria-label={t.inbox.naming}
            value={named ?? 'all'}
            options={Object.entries(t.inbox.namings).map(([value, label]) => ({ value, label }))}
            onChange={(next) =>
              navigate({ search: (old) => ({ ...old, named: next === 'me' ? 'me' : undefined, item: undefined }) })
            }
          />
          <Select
            aria-label={t.inbox.kind}
            value={kind ?? 'all'}
            options={Object.entries(t.inbox.kinds).map(([value, label]) => ({ value, label }))}
            onChange={(next) =>
              navigate({
                search: (old) => ({ ...old, kind: next === 'all' ? undefined : (next as InboxKind), item: undefined }),
              })
            }
          />
        </>
      }
    >
      <section
        aria-label={t.inbox.list}
        className={cx(
          'w-full overflow-y-auto border-line bg-bg p-2 narrow:w-100 narrow:flex-none narrow:border-r',
          item && 'max-narrow:hidden',
        )}
      >
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : !data ? <Loading /> : null}
        {data && items.length === 0 && (
          <EmptyState title={t.inbox.empty[status].title} help={t.inbox.empty[status].help} />
        )}
        <ul className="flex flex-col gap-0.5">
          {items.map((request) => (
            <li key={request.id}>
              <InboxRow request={request} isChosen={request.id === chosen?.id} onChoose={() => choose(request.id)} />
            </li>
          ))}
        </ul>
        {status === 'pending' && <HandedOver />}
      </section>
      <div ref={details} className={cx('min-w-0 flex-1 overflow-y-auto', !item && 'max-narrow:hidden')}>
        {chosen ? (
          <RequestDetails
            key={chosen.id}
            request={chosen}
            onAnswered={status === 'pending' ? afterAnswer : undefined}
            onBack={() => navigate({ search: (old) => ({ ...old, item: undefined }) })}
          />
        ) : (
          items.length > 0 && <p className="p-6 text-text-2">{t.inbox.choose}</p>
        )}
      </div>
    </Page>
  );
}
