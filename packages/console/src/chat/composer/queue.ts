import { makeIdempotencyKey } from '@atrium/sdk';
import { create } from 'zustand';
import { draftKeys, keepDraft, onDraftOfOtherWindow, readDraft } from '../../lib/local-drafts.ts';
import type { MessageExtras } from '../thread/thread-store.ts';

/** A message that waits in line. The server takes it once, however often it is sent under its key. */
export interface Waiting {
  readonly key: string;
  readonly content: string;
  readonly workspaceId?: string;
  readonly extras?: MessageExtras;
  /** It was written while there was no network, or did not get through before the network was gone. */
  readonly offline?: boolean;
}

/** Messages that wait until the agent has answered or there is a network, by conversation. They survive a reload. */
const useQueues = create<Record<string, readonly Waiting[]>>(() => ({}));
const prefix = 'queue.';
const keyOf = (conversationId: string) => prefix + conversationId;
const none: readonly Waiting[] = [];

function waitingOf(entry: unknown): Waiting[] {
  if (typeof entry === 'string') return [{ key: makeIdempotencyKey(), content: entry }];
  const { key, content } = Object(entry) as Partial<Waiting>;
  return typeof key === 'string' && typeof content === 'string' ? [entry as Waiting] : [];
}

function read(conversationId: string): readonly Waiting[] {
  try {
    const kept: unknown = JSON.parse(readDraft(keyOf(conversationId)) || '[]');
    return Array.isArray(kept) ? kept.flatMap(waitingOf) : none;
  } catch {
    return none;
  }
}

// Another window of this browser has sent or written some.
onDraftOfOtherWindow((key) => {
  if (!key.startsWith(prefix)) return;
  const conversationId = key.slice(prefix.length);
  useQueues.setState({ [conversationId]: read(conversationId) });
});

/** Those that were read once; a key that is made while reading has to stay. */
const readOnce = new Map<string, readonly Waiting[]>();

function write(conversationId: string, queue: readonly Waiting[]): void {
  keepDraft(keyOf(conversationId), queue.length ? JSON.stringify(queue) : '');
  useQueues.setState({ [conversationId]: queue });
}

export function queueOf(conversationId: string): readonly Waiting[] {
  const known = useQueues.getState()[conversationId] ?? readOnce.get(conversationId);
  if (known) return known;
  const kept = read(conversationId);
  readOnce.set(conversationId, kept);
  return kept;
}

export function useQueue(conversationId: string): readonly Waiting[] {
  const queue = useQueues((queues) => queues[conversationId]);
  return queue ?? queueOf(conversationId);
}

/** The conversations in which messages wait. */
export const waitingConversations = () => draftKeys(prefix).map((key) => key.slice(prefix.length));

export const enqueue = (conversationId: string, entry: Waiting) =>
  write(conversationId, [...queueOf(conversationId), entry]);

/** Puts back a message that did not get through: it was written before all others that wait. */
export const enqueueFirst = (conversationId: string, entry: Waiting) =>
  write(conversationId, [entry, ...queueOf(conversationId)]);

export function dequeue(conversationId: string, key: string): Waiting | undefined {
  const queue = queueOf(conversationId);
  write(
    conversationId,
    queue.filter((entry) => entry.key !== key),
  );
  return queue.find((entry) => entry.key === key);
}
