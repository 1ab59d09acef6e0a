import { type Atrium, AtriumError } from '@atrium/sdk';
import { client } from '../api/client.ts';
import { makeThread, type Thread } from '../chat/thread/thread-store.ts';

/** The link by which a guest reads and writes a conversation. */
export interface GuestLink {
  /** Undefined until a visitor has written something. */
  token(): string | undefined;
  /** Begins the conversation where there is none yet. */
  begin(): Promise<string>;
  /** The server knows the conversation no more. */
  forget(): void;
}

type Reply = ReturnType<typeof client.publicConversations.stream>;

/** The answer to a message of a guest. It is asked for once the conversation has begun. */
function replyLater(link: GuestLink, open: (token: string) => Reply) {
  let reply: Reply | undefined;
  return {
    get state() {
      return reply?.state ?? 'idle';
    },
    get lastEventId() {
      return reply?.lastEventId;
    },
    async *[Symbol.asyncIterator]() {
      reply = open(link.token() ?? (await link.begin()));
      try {
        yield* reply;
      } catch (error) {
        if (error instanceof AtriumError && error.status === 404) link.forget();
        throw error;
      }
    },
  };
}

type Sent = Parameters<Atrium['publicConversations']['stream']>[1];

/** The part of the client that a thread reads and writes with, by the link of a guest. */
function guestClient(link: GuestLink): Atrium {
  const { publicConversations } = client;
  const token = () => link.token() ?? '';
  const conversations = {
    async listMessages() {
      const { ui_messages } = await publicConversations.get(token());
      return { items: ui_messages.toReversed(), next_cursor: null };
    },
    stream: (_id: string, { content, files }: Sent, options: object) =>
      replyLater(link, (made) =>
        publicConversations.stream(made, { content, ...(files && { files: files.map(nameAndBytes) }) }, options),
      ),
    events: (_id: string, options: object) => publicConversations.events(token(), options),
  };
  const messages = { stop: () => publicConversations.stop(token()) };
  return { conversations, messages } as unknown as Atrium;
}

type SentFile = NonNullable<Sent['files']>[number];
/** Guests have no store of files: what they send goes inside of the message. */
const nameAndBytes = (file: SentFile) =>
  ({ name: file.name, b64_content: (file as { b64_content?: string }).b64_content ?? '' }) as SentFile;

/** A thread with the same reading and streaming as in the chat, by the link of a guest. */
export const makeGuestThread = (link: GuestLink, onSettled: () => void): Thread =>
  makeThread({ client: guestClient(link), conversationId: link.token() ?? 'visitor', onSettled });
