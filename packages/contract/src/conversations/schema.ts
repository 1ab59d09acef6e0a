import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { settingsAnswer } from '../settings/answer-schema.ts';
import { settingsInput } from '../settings/settings.ts';
import { warningsField } from '../settings/warning-schema.ts';

export const runStatuses = ['queued', 'running', 'completed', 'failed', 'stopped', 'awaiting_human_feedback'] as const;

/** A part of a message: who says it, what kind it is, its text; files and tool calls bring more. */
const messagePart = z.looseObject({ role: z.string(), type: z.string(), content: z.string() });

export const message = z
  .strictObject({
    id: z.guid(),
    created_at: z.iso.datetime(),
    message_parts: z.array(messagePart),
    /** How a reply was made: model, attempts, tokens, cost, time. */
    metadata: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'Message' });

export const uiMessage = z
  .strictObject({
    id: z.guid(),
    role: z.enum(['user', 'assistant', 'system']),
    created_at: z.iso.datetime(),
    parts: z.array(z.looseObject({ type: z.string() })),
    metadata: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'UiMessage' });

const item = z.strictObject({
  id: z.guid(),
  group_id: z.guid(),
  user_id: z.guid().nullable(),
  api_key_id: z.guid().nullable(),
  name: z.string().nullable(),
  created_at: z.iso.datetime(),
  last_updated_at: z.iso.datetime(),
  etag: z.string().nullable(),
  assistant_id: z.guid().nullable(),
  status: z.enum(runStatuses),
  manual: z.boolean(),
  preview: z.boolean(),
  assistant_version_id: z.guid().nullable(),
  chat_transport: z.string().nullable(),
  channel_ref: z.record(z.string(), z.unknown()).nullable(),
  deployment_id: z.guid().nullable(),
  public_access_token: z.string().nullable(),
  todos: z.array(z.record(z.string(), z.unknown())),
  is_locked: z.boolean(),
  lock_message: z.string().nullable(),
  settings: settingsAnswer,
});

export const conversation = item
  .extend({ messages: z.array(message), ui_messages: z.array(uiMessage) })
  .meta({ id: 'Conversation' });

export const conversationWritten = conversation.extend(warningsField).meta({ id: 'ConversationWritten' });

export const conversationPage = paged(item.meta({ id: 'ConversationItem' }));

const name = s.str({ max: 500 });

export const conversationCreate = s
  .object({
    name: s.optional(name),
    settings: s.optional(settingsInput),
    preview: s.withDefault(s.bool(), false),
    assistant_version_id: s.optional(s.uuid('agent_version')),
    variables: s.optional(s.dict()),
  })
  .meta({ id: 'ConversationCreate' });

export const conversationCreateQuery = s.query({ assistant_id: s.optional(s.uuid('agent')) });

export const conversationPatch = s
  .object({
    name: s.optional(name),
    settings: s.optional(settingsInput),
    assistant_version_id: s.optional(s.uuid('agent_version')),
    manual: s.optional(s.bool()),
  })
  .meta({ id: 'ConversationPatch' });

export const conversationParams = s.object({ conversation_id: s.uuid('conversation') });

export const conversationListQuery = s.query({
  ...pageFields,
  assistant_id: s.optional(s.uuid('agent')),
  status: s.optional(s.oneOf(runStatuses)),
  search: s.optional(s.str({ max: 200 })),
  created_after: s.optional(s.datetime()),
  created_before: s.optional(s.datetime()),
  include_empty: s.withDefault(s.bool(), false),
});

export const lockBody = s.object({ message: s.optional(s.str({ max: 2000 })) }).meta({ id: 'ConversationLock' });
export const exportQuery = s.query({ format: s.withDefault(s.oneOf(['markdown', 'json']), 'markdown') });

export const messagesQuery = s.query({
  cursor: s.optional(s.int({ ge: 0, le: 2_147_483_647 })),
  size: s.withDefault(s.int({ ge: 1, le: 200 }), 50),
  order: s.withDefault(s.oneOf(['newest', 'oldest']), 'newest'),
});

export const messagesAnswer = z.strictObject({ items: z.array(message), next_cursor: z.int().nullable() });

/** What whoever holds the link sees: the talk, nothing of how the agent is set up. */
export const publicConversation = z
  .strictObject({
    id: z.guid(),
    name: z.string().nullable(),
    status: z.enum(runStatuses),
    created_at: z.iso.datetime(),
    last_updated_at: z.iso.datetime(),
    etag: z.string(),
    is_locked: z.boolean(),
    lock_message: z.string().nullable(),
    /** The words of the form in which a guest says what they think. */
    feedback_form: z.strictObject({ placeholder: z.string(), submit_label: z.string(), cancel_label: z.string() }),
    ui_messages: z.array(uiMessage),
  })
  .meta({ id: 'PublicConversation' });

export const publicParams = s.object({ token: s.str({ min: 1, max: 200 }) });

export type ConversationCreate = z.output<typeof conversationCreate>;
export type ConversationPatch = z.output<typeof conversationPatch>;
export type ConversationListQuery = z.output<typeof conversationListQuery>;
export type MessagesQuery = z.output<typeof messagesQuery>;
export type PublicConversation = z.output<typeof publicConversation>;
export type UiMessage = z.output<typeof uiMessage>;
export type RunStatus = (typeof runStatuses)[number];
