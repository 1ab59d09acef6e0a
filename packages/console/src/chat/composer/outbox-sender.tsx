import { useEffect } from 'react';
import { clientOf } from '../../api/client.ts';
import { useOnline } from '../../lib/online.ts';
import { dequeue, queueOf, waitingConversations } from './queue.ts';

/**
 * Sends what was written offline in a conversation that is not open, in its order. A message that is refused stays: the
 * conversation says why when it is opened and sends it under the same key.
 */
async function sendWaiting(workspaceId: string, conversationId: string, signal: AbortSignal): Promise<void> {
  const { conversations } = clientOf(workspaceId);
  for (const { key, content, extras, offline, ...entry } of queueOf(conversationId)) {
    if (!offline || entry.workspaceId !== workspaceId) return;
    let taken = false;
    const answer = conversations.stream(conversationId, { content, ...extras }, { idempotencyKey: key, signal });
    // The next message has its turn when this one is answered.
    for await (const _ of answer) {
      if (!taken) dequeue(conversationId, key);
      taken = true;
    }
    if (!taken) return;
  }
}

interface OutboxSenderProps {
  workspaceId: string;
  /** The conversation that is open: its composer sends what waits in it. */
  current: string | undefined;
}

export function OutboxSender({ workspaceId, current }: OutboxSenderProps) {
  const online = useOnline();
  useEffect(() => {
    if (!online) return;
    const control = new AbortController();
    for (const id of waitingConversations())
      if (id !== current) sendWaiting(workspaceId, id, control.signal).catch(() => {});
    return () => control.abort();
  }, [online, workspaceId, current]);
  return null;
}
