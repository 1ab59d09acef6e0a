import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { useClient } from '../api/session.ts';

type Client = ReturnType<typeof useClient>;

/** Everything of an agent; live events of agents mark it as old. */
export const agentQuery = (client: Client, workspace: string, id: string) =>
  queryOptions({ queryKey: [workspace, 'agents', 'one', id], queryFn: () => client.agents.get(id) });

export const versionsQuery = (client: Client, workspace: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'agents', 'versions', id],
    queryFn: ({ pageParam }) => client.agentVersions.list(id, { view: 'summary', size: 50, page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length === 50 ? pages.length + 1 : undefined),
  });

export const usesQuery = (client: Client, workspace: string, id: string) =>
  queryOptions({ queryKey: [workspace, 'agents', 'uses', id], queryFn: () => client.agents.listUses(id) });
