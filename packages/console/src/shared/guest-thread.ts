import type { Atrium } from '@atrium/sdk';
import { client } from '../api/client.ts';
import { makeThread, type Thread } from '../chat/thread/thread-store.ts';

/** The part of the client that a thread reads and writes with, by the link of a guest. */
function guestClient(token: string): Atrium {
  const { publicConversations } = client;
  const conversations = {
    async listMessages() {
      const { ui_messages } = await publicConversations.get(token);
      return { items: ui_messages.toReversed(), next_cursor: null };
    },
    stream: (_id: string, { content }: { content: string }, options: object) =>
      publicConversations.stream(token, { content }, options),
    events: (_id: string, options: object) => publicConversations.events(token, options),
  };
  const messages = { stop: () => publicConversations.stop(token) };
  return { conversations, messages } as unknown as Atrium;
}

const threads = new Map<string, Thread>();

/** The thread of a shared conversation, with the same reading and streaming as in the chat. */
export function guestThreadOf(token: string, onSettled: () => void): Thread {
  const thread = threads.get(token) ?? makeThread({ client: guestClient(token), conversationId: token, onSettled });
  threads.set(token, thread);
  return thread;
}
