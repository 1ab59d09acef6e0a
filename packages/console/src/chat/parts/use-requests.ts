import type { Approval } from '@atrium/contract/approvals/schema.ts';
import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import type { Request } from '../../inbox/requests.ts';

type ListedApproval = Omit<Approval, 'decided_by'>;

/** A call of this conversation that waits or waited, as the inbox has it. */
const toRequest = (approval: ListedApproval): Request => ({
  ...{ kind: 'conversation', type: 'approval', needs: 'agents_run', question: null, details: null, lock: null },
  ...{ conversation_name: null, agent_id: null, agent_name: null, asked_by_actor: null },
  ...{ workflow_id: null, workflow_name: null, node_id: null, node_name: null },
  ...approval,
});

/** What people are or were asked in a conversation, by id. Live events of approvals mark it as old. */
export function useRequests(conversationId: string, enabled = true) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  return useQuery({
    queryKey: [w, 'approvals', 'conversation', conversationId],
    queryFn: async (): Promise<ReadonlyMap<string, Request>> => {
      const [approvals, inbox] = await Promise.all([
        client.approvals.listOfConversation(conversationId, { size: 100 }),
        client.approvals.list({ status: 'all', conversation_id: conversationId, size: 100 }),
      ]);
      return new Map([...approvals.items.map(toRequest), ...inbox.items].map((request) => [request.id, request]));
    },
    enabled: enabled && may('agents_run'),
  });
}
