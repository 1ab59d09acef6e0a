import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { useClient } from '../api/session.ts';
import type { Form } from '../forms/form-types.ts';

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

/** The form of a kind of record, the same for every workspace. */
export const formQuery = (kind: 'agents' | 'base-tools' | 'triggers' | 'channels') =>
  queryOptions({
    queryKey: ['fields', kind],
    queryFn: (): Promise<Form> => client.fields.get(kind),
    staleTime: Number.POSITIVE_INFINITY,
  });
