import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useTimeZone } from '../../lib/preferences.ts';
import { sayKeys, useShortcuts } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import type { ListFilters } from '../routes.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { groupByDay } from './group-by-day.ts';
import { useConversations } from './use-conversations.ts';

const FilterMenu = lazyPart(() => import('./filter-menu.tsx').then(({ FilterMenu }) => ({ default: FilterMenu })));

/** The person's conversations, by day. */
export function ConversationList({ current, className }: { current: string | undefined; className: string }) {
  const { id: w } = useWorkspace();
  const router = useRouter();
  const filters = useSearch({ from: '/signed-in/w/$w/chat' });
  const [finding, setFinding] = useState(Boolean(filters.find));
  const list = useConversations(filters);
  const setFilters = (change: ListFilters) =>
    void router.navigate({ to: '.', search: (before: ListFilters) => ({ ...before, ...change }), replace: true });
  useShortcuts([{ keys: '/', label: t.chat.list.search, onPress: () => setFinding(true) }]);
  const filtered = Boolean(filters.find || filters.agent || filters.state);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const zone = useTimeZone();
  const groups = groupByDay([...new Map(items.map((item) => [item.id, item])).values()], new Date(), zone);
  return (
    <aside aria-label={t.chat.list.label} className={cx('flex min-h-0 flex-col bg-bg', className)}>
      <div className="flex items-center gap-1 pt-2.5 pr-2.5 pb-1.5 pl-4">
        {/* Below 900 px the list is the page; above, the page beside it has the name. */}
        <h1 className="flex-1 text-base narrow:hidden">{t.shell.chat}</h1>
        <h2 className="flex-1 text-base max-narrow:hidden">{t.shell.chat}</h2>
        <IconButton
          label={t.chat.list.search}
          icon={<Search size={16} />}
          on={finding}
          onClick={() => {
            if (finding) setFilters({ find: undefined });
            setFinding(!finding);
          }}
        />
        <Suspense fallback={<span className="size-7.5" />}>
          <FilterMenu filters={filters} onChange={setFilters} />
        </Suspense>
      </div>
      {finding && <FindField value={filters.find ?? ''} onChange={(find) => setFilters({ find: find || undefined })} />}
      <div className="px-2.5 pb-2">
        <Link
          to="/w/$w/chat"
          params={{ w }}
          search={(before) => ({ ...before, new: true })}
          className="flex h-8 items-center gap-2 rounded-2 border border-line-2 bg-surface px-3 text-label font-medium text-text no-underline hover:bg-sunken pointer-coarse:h-11"
        >
          <Plus size={16} aria-hidden />
          <span className="flex-1">{t.chat.newChat}</span>
          <kbd className="pointer-coarse:hidden">{sayKeys('mod+shift+o')}</kbd>
        </Link>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto pb-3">
        {list.isPending && <Loading rows={6} onRetry={() => void list.refetch()} />}
        {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
        {list.isSuccess && items.length === 0 && (
          <EmptyState
            className="py-8!"
            title={filtered ? t.chat.list.noMatch.title : t.chat.list.empty.title}
            help={filtered ? t.chat.list.noMatch.help : t.chat.list.empty.help}
          >
            {filtered && (
              <Button size="small" onClick={() => setFilters({ find: undefined, agent: undefined, state: undefined })}>
                {t.ui.clearFilters}
              </Button>
            )}
          </EmptyState>
        )}
        {groups.map(({ group, items }) => (
          <section key={group} aria-labelledby={`day-${group}`}>
            <h3 id={`day-${group}`} className="px-4 pt-2.5 pb-1 text-[11.5px] leading-4 text-text-3">
              {t.chat.list.groups[group]}
            </h3>
            <ul>
              {items.map((item) => (
                <ConversationRow key={item.id} item={item} w={w} current={item.id === current} />
              ))}
            </ul>
          </section>
        ))}
        {list.hasNextPage && (
          <NextPage onSeen={() => !list.isFetching && void list.fetchNextPage()} busy={list.isFetchingNextPage} />
        )}
      </div>
    </aside>
  );
}

function FindField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list follows what is typed, after a pause.
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="px-2.5 pb-2">
      <TextInput
        ref={field}
        type="search"
        aria-label={t.chat.list.search}
        placeholder={t.ui.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}

/** Loads the next page when it comes into view, or when it is pressed. */
function NextPage({ onSeen, busy }: { onSeen: () => void; busy: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onSeen);
  latest.current = onSeen;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '300px',
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className="flex justify-center p-2">
      <Button size="small" look="ghost" busy={busy} onClick={onSeen}>
        {t.ui.loadMore}
      </Button>
    </div>
  );
}
