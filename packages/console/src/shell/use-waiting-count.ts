import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../api/session.ts';

/** How many approvals, questions and steps wait for a person. Live events keep it fresh. */
export function useWaitingCount(): number {
  const client = useClient();
  const { id } = useWorkspace();
  const { data } = useQuery({
    queryKey: [id, 'approvals', 'count'],
    queryFn: () => client.approvals.list({ status: 'pending', page_size: 1 }),
  });
  return data?.total ?? 0;
}
