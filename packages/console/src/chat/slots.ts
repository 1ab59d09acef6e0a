import type { ComponentType } from 'react';
import type { ConversationRecord } from './conversation/use-conversation.ts';
import type { ChatMessage, UiPart } from './thread/message-types.ts';
import type { MessageExtras, Thread } from './thread/thread-store.ts';

/** What a card for a part of a message gets. It reads more of the conversation through `thread`. */
export interface PartProps {
  part: UiPart;
  message: ChatMessage;
  thread: Thread;
}

/**
 * Cards by the type of their part. `approval` gets calls that wait for a person: parts of tools with `approval`, and
 * `data-approval`. Types without a card are shown as folded JSON.
 */
export type PartRegistry = Readonly<Record<string, ComponentType<PartProps>>>;

/** What goes with the next message of a composer. */
export interface AttachmentsProps {
  /** The conversation, or undefined on the start page. */
  conversationId: string | undefined;
  /** Called with what is to be sent along; undefined while something is still on its way. */
  onChange: (extras: MessageExtras | undefined) => void;
  /** Counts the messages that were sent: what was attached is gone with each. */
  sent: number;
}

export interface MessageSlotProps {
  message: ChatMessage;
  thread: Thread;
}

export interface ConversationSlotProps {
  conversation: ConversationRecord;
  thread: Thread;
}

/** Places in the chat that other folders fill. */
export interface ChatSlots {
  /** Chips above the words of the composer. */
  ComposerAttachments?: ComponentType<AttachmentsProps>;
  /** Buttons at the left below the words of the composer, such as the one that attaches files. */
  ComposerTools?: ComponentType<AttachmentsProps>;
  /** Buttons in the header of a conversation, before its menu. */
  HeaderActions?: ComponentType<ConversationSlotProps>;
  /** The panel at the right of a conversation. */
  DetailsPanel?: ComponentType<ConversationSlotProps>;
  /** Buttons below an answer, beside copy and answer again: feedback. */
  MessageActions?: ComponentType<MessageSlotProps>;
  /** Above the composer: questions and handovers that wait. */
  AboveComposer?: ComponentType<ConversationSlotProps>;
}
