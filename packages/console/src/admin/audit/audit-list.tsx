import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight, ListChecks } from 'lucide-react';
import { useRef } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useTimeZone } from '../../lib/preferences.ts';
import { sayExactTime, sayMoment } from '../../lib/time.ts';
import { auditTexts as words } from '../../text/admin/audit.ts';
import { t } from '../../text/en.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/states.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useAddress } from '../shared/use-admin.ts';
import { auditFilters } from './audit-filters.ts';
import { EntryDetails } from './entry-details.tsx';
import { sayActor, sayOperation } from './say-entry.ts';

/** The entries, the latest first; the opened one is in the address. */
export function AuditList() {
  const client = useClient();
  const { id } = useWorkspace();
  const [search, show] = useAddress();
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  const filters = auditFilters(search, useTimeZone());
  const query = useInfiniteQuery({
    queryKey: [id, 'audit', filters],
    queryFn: ({ pageParam }) => client.audit.list({ ...filters, size: 50, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const entries = query.data?.pages.flatMap(({ items }) => items);
  const clear = { who: undefined, what: undefined, when: undefined, where: undefined, outcome: undefined };
  return (
    <Loaded query={{ ...query, data: entries }} rows={8}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState icon={<ListChecks size={20} aria-hidden />} {...words.none}>
            <Button onClick={() => show({ ...clear, record: undefined, name: undefined })}>{t.ui.clearFilters}</Button>
          </EmptyState>
        ) : (
          <>
            <ul ref={list} aria-label={words.title} className="divide-y divide-line">
              {items.map((entry) => {
                const isOpen = search.entry === entry.id;
                return (
                  <li key={entry.id}>
                    <button
                      type="button"
                      data-row-link
                      aria-expanded={isOpen}
                      onClick={() => show({ entry: isOpen ? undefined : entry.id })}
                      className="flex w-full items-center gap-3 px-4 py-2 text-left text-dense hover:bg-bg pointer-coarse:min-h-11"
                    >
                      <ChevronRight
                        size={14}
                        aria-hidden
                        className={cx('flex-none text-text-3', isOpen && 'rotate-90')}
                      />
                      <Avatar name={sayActor(entry)} kind="person" size={24} />
                      <span className="min-w-0 flex-1">
                        <span className="font-medium">{sayActor(entry)}</span>{' '}
                        <span className="text-text-2">{sayOperation(entry)}</span>
                        {entry.target?.name && <span className="font-medium"> {entry.target.name}</span>}
                        {entry.parent?.name && <span className="text-text-2"> ({entry.parent.name})</span>}{' '}
                        {entry.outcome === 'refused' && <Chip tone="bad">{words.refused}</Chip>}
                        {entry.count > 1 && <Chip>{words.times(entry.count)}</Chip>}
                        <span className="num hidden text-text-3 max-phone:block">{sayMoment(entry.at)}</span>
                      </span>
                      <time
                        dateTime={entry.at}
                        title={sayExactTime(entry.at)}
                        className="num flex-none text-text-3 max-phone:hidden"
                      >
                        {sayMoment(entry.at)}
                      </time>
                    </button>
                    {isOpen && <EntryDetails entry={entry} />}
                  </li>
                );
              })}
            </ul>
            {query.hasNextPage && (
              <div className="flex justify-center border-t border-line p-2.5">
                <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t.ui.loadMore}
                </Button>
              </div>
            )}
          </>
        )
      }
    </Loaded>
  );
}
