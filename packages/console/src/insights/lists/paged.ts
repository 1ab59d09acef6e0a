import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';

interface PageOf<T> {
  items: T[];
  total: number;
  next: string | null;
}

/** A list page by page, each after the one before. */
export const paged = <T>(queryKey: readonly unknown[], load: (after: { after?: string }) => Promise<PageOf<T>>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam ? { after: pageParam } : {}),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
