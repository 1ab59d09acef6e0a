import { useInfiniteQuery } from '@tanstack/react-query';
import { BellOff } from 'lucide-react';
import { useState } from 'react';
import { personClient } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useShell } from '../shell-store.ts';
import { bundleNotices } from './bundle-notices.ts';
import { NoticeRow } from './notice-row.tsx';

const words = t.shell.notices;

/** What happened and what waits, of all workspaces of the person. */
export function NotificationPanel() {
  const close = useShell(({ close }) => close);
  const [shown, setShown] = useState<'all' | 'unread'>('all');
  const notices = useInfiniteQuery({
    queryKey: ['notifications', 'list', shown],
    queryFn: ({ pageParam }) =>
      personClient.notifications.list({ page: pageParam, page_size: 30, ...(shown === 'unread' && { unread: true }) }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
  });
  const items = notices.data?.pages.flatMap(({ items }) => items) ?? [];
  const bundles = bundleNotices(items);
  const unread = items.some(({ read_at }) => !read_at);
  const newest = items[0]?.id;
  const markAll = async () => {
    try {
      await personClient.notifications.markAllRead(newest ? { through: newest } : {});
      await queryClient.invalidateQueries({ queryKey: ['notifications'] });
    } catch (error) {
      sayFailure(error, () => void markAll());
    }
  };
  return (
    <Drawer open onClose={close} title={t.shell.notifications}>
      <div className="flex items-center gap-2 px-4 py-2.5">
        <Segmented
          label={words.which}
          value={shown}
          onChange={setShown}
          options={[
            { value: 'all', label: words.all },
            { value: 'unread', label: words.unread },
          ]}
        />
        <Button size="small" look="ghost" className="ml-auto" disabled={!unread} onClick={() => void markAll()}>
          {words.markAll}
        </Button>
      </div>
      {notices.isError && <ErrorState error={notices.error} onRetry={() => void notices.refetch()} />}
      {notices.isPending && <Loading onRetry={() => void notices.refetch()} />}
      {notices.isSuccess && bundles.length === 0 && (
        <EmptyState
          icon={<BellOff size={20} aria-hidden />}
          title={shown === 'unread' ? words.noneUnread : words.none}
          help={words.noneHelp}
        />
      )}
      <ul className="flex flex-col px-2 pb-3">
        {bundles.map((bundle) => (
          <NoticeRow key={bundle.newest.id} bundle={bundle} onOpened={close} />
        ))}
      </ul>
      {notices.hasNextPage && (
        <div className="px-4 pb-4">
          <Button busy={notices.isFetchingNextPage} onClick={() => void notices.fetchNextPage()}>
            {t.ui.loadMore}
          </Button>
        </div>
      )}
    </Drawer>
  );
}
