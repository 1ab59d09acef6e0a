import type { ItemOf } from '@atrium/sdk';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';

export type Memory = ItemOf<'agentMemories.list'>;
const words = agentTabTexts.memory;

/** Whom an entry is about, in words; null for entries about everyone. */
export function nameSubject({ subject, subject_name }: Pick<Memory, 'subject' | 'subject_name'>): string | null {
  if (subject === 'everyone') return null;
  return subject === 'link' ? words.guest : (subject_name ?? words.somebody);
}

export function useMemories(agentId: string, search: string, about: string | undefined) {
  const client = useClient();
  const { id } = useWorkspace();
  return useInfiniteQuery({
    queryKey: [id, 'memories', agentId, search, about],
    queryFn: ({ pageParam }) =>
      client.agentMemories.list(agentId, {
        ...{ page: pageParam, size: 50 },
        ...(search && { search }),
        ...(about && { subject_id: about }),
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
}

/** Loads the agent's entries again. */
export function useRefreshMemories(agentId: string) {
  const queries = useQueryClient();
  const { id } = useWorkspace();
  return () => queries.invalidateQueries({ queryKey: [id, 'memories', agentId] });
}
