import { queryOptions, useQuery } from '@tanstack/react-query';
import { clientOf } from '../../api/client.ts';
import { useWorkspace } from '../../api/session.ts';

const readConversation = (w: string, id: string) => clientOf(w).conversations.get(id, { messages: 0 });

/** A conversation without its messages; these are in its thread. */
export type ConversationRecord = Awaited<ReturnType<typeof readConversation>>;

/** Live events of conversations, runs and approvals mark it as old. */
export const conversationQuery = (w: string, id: string) =>
  queryOptions({ queryKey: [w, 'conversations', id], queryFn: () => readConversation(w, id), staleTime: 0 });

export const useConversation = (id: string) => useQuery(conversationQuery(useWorkspace().id, id));

/** The agent of a conversation. */
export function useAgent(agentId: string | null | undefined) {
  const { id: w } = useWorkspace();
  return useQuery({
    queryKey: [w, 'agents', agentId, 'card'],
    queryFn: () => clientOf(w).agents.get(agentId ?? ''),
    enabled: Boolean(agentId),
    staleTime: 300_000,
  }).data;
}
