import { useInfiniteQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import type { ListFilters } from '../routes.tsx';

const pageSize = 30;

const stateQuery = {
  unread: { unread: true },
  waiting: { status: 'awaiting_human_feedback' },
  running: { status: 'running' },
  archived: { archived: true },
} as const;

/** The person's own conversations, page by page. Live events load them again. */
export function useConversations({ find, agent, state }: ListFilters) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const filters = { ...(find && { search: find }), ...(agent && { assistant_id: agent }) };
  return useInfiniteQuery({
    queryKey: [w, 'conversations', 'list', find, agent, state],
    queryFn: ({ pageParam }) =>
      client.conversations.list({
        ...{ view: 'summary', mine: true, archived: false, page: pageParam, page_size: pageSize },
        ...filters,
        ...(state && stateQuery[state]),
      }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length < last.pages ? pages.length + 1 : undefined),
    placeholderData: (before) => before,
  });
}

export type Summary = NonNullable<ReturnType<typeof useConversations>['data']>['pages'][number]['items'][number];
