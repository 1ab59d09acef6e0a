import { create } from 'zustand';
import { keepDraft, readDraft } from '../../lib/local-drafts.ts';

/** Messages that wait until the agent has answered, by conversation. They survive a reload. */
const useQueues = create<Record<string, readonly string[]>>(() => ({}));
const keyOf = (conversationId: string) => `queue.${conversationId}`;
const none: readonly string[] = [];

function read(conversationId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(readDraft(keyOf(conversationId)) || '[]');
    return Array.isArray(kept) ? kept.filter((entry) => typeof entry === 'string') : none;
  } catch {
    return none;
  }
}

function write(conversationId: string, queue: readonly string[]): void {
  keepDraft(keyOf(conversationId), queue.length ? JSON.stringify(queue) : '');
  useQueues.setState({ [conversationId]: queue });
}

export const queueOf = (conversationId: string) => useQueues.getState()[conversationId] ?? read(conversationId);

export function useQueue(conversationId: string): readonly string[] {
  const queue = useQueues((queues) => queues[conversationId]);
  if (queue) return queue;
  const kept = read(conversationId);
  return kept.length ? kept : none;
}

export const enqueue = (conversationId: string, content: string) =>
  write(conversationId, [...queueOf(conversationId), content]);

export const dequeue = (conversationId: string, at: number): string | undefined => {
  const queue = queueOf(conversationId);
  write(conversationId, queue.toSpliced(at, 1));
  return queue[at];
};
