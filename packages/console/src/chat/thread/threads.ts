import { clientOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { returnWords } from '../../lib/local-drafts.ts';
import { draftKeyOf } from './draft-key.ts';
import { makeThread, type Thread } from './thread-store.ts';

/** Conversations that were looked at last stay in the page, so that going back to them is at once. */
const mostThreads = 6;
const threads = new Map<string, Thread>();

/** The thread of a conversation; the same as long as it is kept. */
export function threadOf(workspaceId: string, conversationId: string): Thread {
  const known = threads.get(conversationId);
  threads.delete(conversationId);
  const thread =
    known ??
    makeThread({
      client: clientOf(workspaceId),
      conversationId,
      onSettled: () => void queryClient.invalidateQueries({ queryKey: [workspaceId, 'conversations'] }),
      onRefused: (words) => returnWords(draftKeyOf(conversationId), words),
    });
  threads.set(conversationId, thread);
  for (const [id, old] of threads) {
    if (threads.size <= mostThreads) break;
    if (old.snapshot().answering) continue;
    old.close();
    threads.delete(id);
  }
  return thread;
}

/** Lets go of a conversation that was deleted. */
export function forgetThread(conversationId: string): void {
  threads.get(conversationId)?.close();
  threads.delete(conversationId);
}
