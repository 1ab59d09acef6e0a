import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';

interface Answer<Item> {
  items: Item[];
  page: number;
  pages: number;
  total: number;
}

/** A list that comes in pages. */
export function usePaged<Item>(key: readonly unknown[], ask: (page: number) => Promise<Answer<Item>>) {
  const { id } = useWorkspace();
  const query = useInfiniteQuery({
    queryKey: [id, ...key],
    queryFn: ({ pageParam }) => ask(pageParam),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
  const data = query.data?.pages.flatMap(({ items }) => items);
  const { error, isPending, isError, refetch } = query;
  return {
    list: { data, error, isPending, isError, refetch },
    total: query.data?.pages[0]?.total,
    more: query.hasNextPage ? (
      <div className="flex justify-center border-t border-line p-2.5">
        <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.ui.loadMore}
        </Button>
      </div>
    ) : null,
  };
}
