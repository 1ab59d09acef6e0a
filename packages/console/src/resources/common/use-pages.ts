import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useWorkspace } from '../../api/session.ts';

interface Loaded<T> {
  items: T[];
  page: number;
  pages: number;
  total: number;
}

/** A list of the workspace, page by page. The key begins with the kind in plural, so that live events refresh it. */
export function usePages<T>(
  key: readonly unknown[],
  load: (page: number) => Promise<Loaded<T>>,
  options: { enabled?: boolean; refetchInterval?: (items: readonly T[]) => number | false } = {},
) {
  const { id } = useWorkspace();
  const { enabled = true, refetchInterval } = options;
  const query = useInfiniteQuery<Loaded<T>, Error, InfiniteData<Loaded<T>, number>, readonly unknown[], number>({
    queryKey: [id, ...key],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state }) => refetchInterval?.(state.data?.pages.flatMap((page) => page.items) ?? []) ?? false,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return { query, items, total: query.data?.pages[0]?.total ?? 0 };
}

export type Pages<T> = ReturnType<typeof usePages<T>>;
