/** A part of a message as the server shows it. What else it has depends on its type. */
export interface UiPart {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly state?: string;
  readonly toolCallId?: string;
  /** The attempt that said it broke off: it goes with the first words of the next one. */
  readonly broken?: boolean;
  readonly [key: string]: unknown;
}

/** A chunk of the stream of an answer, or anything that a newer server sends. */
export interface Chunk {
  type: string;
  [key: string]: unknown;
}

export interface MessageMetadata {
  run_id?: string;
  model?: string | null;
  /** Every model call of the answer, failed ones included. */
  attempts?: readonly { model?: string; status: string; reason: string | null }[];
  ms?: number;
  warnings?: string[];
  finish_reason?: string | null;
  usage?: Record<string, number | null>;
  answered_by?: string;
  answered_by_actor?: { name: string } | null;
  [key: string]: unknown;
}

export type MessageState =
  /** The person's words are on their way. */
  | 'sending'
  /** They did not reach the server. */
  | 'unsent'
  | 'writing'
  | 'waiting'
  | 'stopped'
  | 'failed';

export interface ChatMessage {
  /** Stays the same from the first word to the stored message. */
  readonly key: string;
  /** The server's id; empty until it is known. */
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'system';
  readonly created_at: string;
  readonly parts: readonly UiPart[];
  readonly metadata: MessageMetadata | null;
  readonly state?: MessageState;
  /** The key under which it was sent, so that sending it again is the same message for the server. */
  readonly sendKey?: string;
  /** Why it was not sent, or not answered. */
  readonly failure?: string;
  /** The kind of the failure of a stored answer. */
  readonly failureCode?: string;
  /** What a channel shows while nothing of the answer is there. */
  readonly thinking?: string;
  /** When the browser saw the first chunk, in ms. */
  readonly started?: number;
}

/** A message that the server has stored. */
export type StoredMessage = Pick<
  ChatMessage,
  'id' | 'role' | 'created_at' | 'parts' | 'metadata' | 'state' | 'failure' | 'failureCode'
>;

/** A message as the server sends it. */
export type SentMessage = Omit<StoredMessage, 'state' | 'failure' | 'failureCode'> & {
  readonly failure?: { readonly code: string; readonly message: string };
};

export const storedMessage = ({ failure, ...message }: SentMessage): StoredMessage =>
  failure ? { ...message, state: 'failed', failure: failure.message, failureCode: failure.code } : message;

export const textOf = (message: Pick<ChatMessage, 'parts'>): string =>
  message.parts
    .flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : []))
    .join('\n\n')
    .trim();
