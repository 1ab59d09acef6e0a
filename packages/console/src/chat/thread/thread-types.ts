import type { Atrium, StreamState } from '@atrium/sdk';
import type { ChatMessage } from './message-types.ts';
import type { Refusal } from './refusal.ts';

/** What the page knows of a conversation without its messages. */
export interface ConversationState {
  status: string;
  etag: string | null;
}

export interface ThreadSnapshot {
  readonly phase: 'new' | 'loading' | 'ready' | 'failed';
  readonly error?: unknown;
  /** The messages of the branch that is shown, oldest first. */
  readonly messages: readonly ChatMessage[];
  readonly hasOlder: boolean;
  readonly stream: StreamState;
  /** Whether an answer is being written or asked for. */
  readonly answering: boolean;
  /** Whether the conversation waits for a person. */
  readonly waiting: boolean;
  /** Why the last message was not taken; its words are in the composer again. */
  readonly refusal?: Refusal | undefined;
}

/** Everything that goes with the words of a message. */
export type MessageExtras = Omit<Parameters<Atrium['conversations']['stream']>[1], 'content' | 'approvals'>;

export interface ThreadOptions {
  client: Atrium;
  conversationId: string;
  /** Called when an answer has ended or waits: reads the conversation again. */
  onSettled: () => void;
  /**
   * Takes back words that a limit or a budget has refused. Where it is left out, they stay in the thread, and are not
   * kept over a reload.
   */
  onRefused?: (words: string) => void;
}

export interface SendOptions {
  /** The server takes a message once, however often it is sent under the same key. */
  key?: string;
  /** Gives the message back when there is no network, instead of trying on: the caller keeps it. */
  hold?: boolean;
  /** It was sent before under this key: the server may have it. */
  again?: boolean;
}
