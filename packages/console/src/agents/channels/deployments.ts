import type { ItemOf } from '@atrium/sdk';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { useClient } from '../../api/session.ts';
import { useWorkspace } from '../../api/session.ts';

export type Deployment = ItemOf<'deployments.list'>;
export type Channel = Deployment['channel'];
type Client = ReturnType<typeof useClient>;

export const deploymentsQuery = (client: Client, workspace: string, agentId: string) =>
  queryOptions({
    queryKey: [workspace, 'deployments', 'of-agent', agentId],
    queryFn: async () => {
      const found: Deployment[] = [];
      for await (const deployment of client.deployments.each(agentId, { size: 100 })) found.push(deployment);
      return found;
    },
  });

export function useRefreshDeployments() {
  const queries = useQueryClient();
  const { id } = useWorkspace();
  return () => queries.invalidateQueries({ queryKey: [id, 'deployments'] });
}

/** The line that puts the chat page into another page. */
export const embedLine = (path: string): string => `<script src="${location.origin}${path}" async></script>`;
