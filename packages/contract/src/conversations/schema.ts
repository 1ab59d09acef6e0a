import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt, groupId } from '../fields.ts';
import { namedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { facetsField, paged } from '../page.ts';
import * as s from '../schema/schema.ts';
import { settingsAnswer } from '../settings/answer-schema.ts';
import { settingsInput } from '../settings/settings.ts';
import { warningsField } from '../settings/warning-schema.ts';

export const runStatuses = ['queued', 'running', 'completed', 'failed', 'stopped', 'awaiting_human_feedback'] as const;

/** Files, tool calls, sources and approvals have further fields, by type. */
const messagePart = z.looseObject({
  role: z.string().describe('Who the part is from: `user`, `assistant`, `system` or `function` (a tool call).'),
  type: z
    .string()
    .describe(
      'What the part is: `user`, `text`, `reasoning`, `function`, `source`, `file`, `approval`, `error` and others. The other fields depend on it. A `text` with `advice: true` is for the operator, and only callers with `workspace_admin` get it.',
    ),
  content: z.string().describe('The text of the part; for a tool call its result, as the model got it.'),
});

const attempt = z.looseObject({
  model: z.string().describe('The model that was called.'),
  address: z.int().describe("Which of the provider's addresses was called, counted from 0."),
  ms: z.number().describe('How long the call took, in milliseconds.'),
  status: z.enum(['ok', 'failed']).describe('Whether the call worked.'),
  reason: z.string().nullable().describe('Why the call failed; null when it worked.'),
});

const messageMetadata = z
  .looseObject({
    run_id: z.guid().describe('The agent run that wrote the reply.'),
    model: z.string().nullable().describe('The model that answered; null when none did or a person answered.'),
    attempts: z.array(attempt).optional().describe('Every model call of the run, failed ones included.'),
    usage: z
      .record(z.string(), z.number().nullable())
      .optional()
      .describe(
        'Tokens by kind (`input_tokens`, `output_tokens` and others) and `cost` in US dollars; null: not known.',
      ),
    ms: z.number().optional().describe('How long the run took, in milliseconds.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('Problems that the run did not fail for, such as `reply_cut` or `max_tokens_lowered` with its reason.'),
    finish_reason: z
      .string()
      .nullable()
      .optional()
      .describe('Why the model stopped: `stop`, `length` when it reached `max_tokens`, or another. Null: not known.'),
    guardrails: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .describe('What the guardrails did about the message; null when none was asked.'),
    answered_by: z.string().optional().describe('The id of the actor that answered in place of the agent.'),
    answered_by_actor: actorField('Who answered in place of the agent.')
      .optional()
      .describe('Who answered in place of the agent. Only in `messages`, beside `answered_by`.'),
  })
  .nullable()
  .describe('How a reply was made: model, attempts, tokens, cost, time. Null for other messages.');

export const message = z
  .strictObject({
    id: z.guid().describe('The id of the message.'),
    created_at: z.iso.datetime().describe('When the message was stored (ISO 8601, UTC).'),
    written_by: z
      .guid()
      .nullable()
      .describe(
        'The id of the person, key, trigger, channel or guest that wrote the message. Null for replies of the agent and older messages.',
      ),
    written_by_actor: actorField('Who wrote the message.'),
    message_parts: z.array(messagePart).describe('The content of the message, in order.'),
    metadata: messageMetadata,
  })
  .meta({ id: 'Message' });

export const uiMessage = z
  .strictObject({
    id: z.guid().describe('The id of the message.'),
    role: z.enum(['user', 'assistant', 'system']).describe('Who the message is from.'),
    created_at: z.iso.datetime().describe('When the message was stored (ISO 8601, UTC).'),
    parts: z
      .array(
        z.looseObject({
          type: z
            .string()
            .describe(
              'What the part is, as in the UI message stream; the other fields depend on it. A `file` of a user has `sent` once it was answered: what the model got of it (`whole`, `beginning`, `summary`, `image`, `nothing`).',
            ),
        }),
      )
      .describe('What a screen shows of the message, in order, by the display settings of the conversation.'),
    failure: z
      .strictObject({
        code: z
          .string()
          .describe(
            'The kind of the failure, as in the `error` of the run; `run_failed` for guests and users of channels.',
          ),
        message: z.string().describe('What went wrong, as at the end of the stream of this answer.'),
      })
      .optional()
      .describe(
        'Why the answer failed; absent when it did not. Also where `hide_error_banners` leaves the part of the error out. Guests of links and users of channels read that the agent could not answer.',
      ),
    metadata: messageMetadata,
  })
  .meta({ id: 'UiMessage' });

const todo = z.looseObject({
  id: z.string().describe('The id of the to-do, counted from 1 in each conversation.'),
  text: z.string().describe('What is to be done.'),
  status: z.enum(['pending', 'in_progress', 'completed']).describe('How far the to-do is.'),
  parent_id: z.string().nullable().describe('The to-do that this one is a part of; null when it is not a subtask.'),
});

const status = z.enum(runStatuses).describe('The status of the latest agent run; `queued` before the first message.');
const isLocked = z.boolean().describe('Whether the conversation refuses new messages.');
const lockMessage = z.string().nullable().describe('What senders are told while it is locked; null when it is not.');
const lastUpdatedAt = z.iso.datetime().describe('When the conversation was last changed (ISO 8601, UTC).');

const messageCount = z
  .int()
  .describe(
    'How many messages were stored in it, those that an edit has replaced included. At `usage_limits_max_messages` it takes no more.',
  );

const item = z.strictObject({
  id: z.guid().describe('The id of the conversation.'),
  group_id: groupId,
  user_id: z
    .guid()
    .nullable()
    .describe('The end user that the conversation is with, when the caller or channel named one.'),
  api_key_id: z
    .guid()
    .nullable()
    .describe('The API key that created the conversation; null when a person or a channel did.'),
  created_by: z
    .guid()
    .nullable()
    .describe('The id of the person, key, trigger or deployment that created it; null when it is not known.'),
  created_by_actor: actorField('Who created the conversation.'),
  name: z
    .string()
    .nullable()
    .describe('The title; null until the first message when the client gave none, then set by `agent_title_mode`.'),
  created_at: createdAt,
  last_updated_at: lastUpdatedAt,
  etag: z.string().nullable().describe('Changes with every change; send it as `If-Match` to update only this state.'),
  assistant_id: z.guid().nullable().describe('The agent that answers; null when the conversation has none.'),
  status,
  manual: z.boolean().describe('Whether a person answers instead of the agent.'),
  preview: z.boolean().describe("Whether the conversation follows the agent's draft."),
  assistant_version_id: z
    .guid()
    .nullable()
    .describe('The version of the agent that the conversation is pinned to; null for previews and without an agent.'),
  chat_transport: z
    .string()
    .nullable()
    .describe(
      'The protocol or channel that it came through, such as `openai`, `trigger` or `slack`; null for the API.',
    ),
  channel_ref: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Where in its channel the conversation lives; the keys depend on the channel.'),
  deployment_id: z.guid().nullable().describe('The deployment that it came through; null when there is none.'),
  public_access_token: z
    .string()
    .nullable()
    .describe(
      'The secret of the public link. Null when the conversation is not shared, and for callers that neither created it nor hold `conversations_read`.',
    ),
  public_access_expires_at: z.iso
    .datetime()
    .nullable()
    .describe('When the public link ends by itself; null when it does not, and where the link is not shown.'),
  public_access_read_only: z.boolean().describe('Whether the public link is for reading only.'),
  shared_access: z
    .enum(['read', 'write'])
    .nullable()
    .describe(
      'What the person who asks may do with a conversation of another person that is shared with them; null for their own, and for callers who see all conversations.',
    ),
  tags: z.array(z.string()).describe('Labels that the workspace has given it, in their order.'),
  todos: z.array(todo).describe("The agent's to-do list in this conversation."),
  is_locked: isLocked,
  lock_message: lockMessage,
  message_count: messageCount,
  may: mayField('conversation'),
  settings: settingsAnswer.describe(
    'The settings that apply: those of the agent with those of the conversation over them.',
  ),
});

export const conversation = item
  .extend({
    messages: z
      .array(message)
      .describe(
        'The newest 200 messages, oldest first; `/messages` pages through all. Callers without `workspace_admin` do not get the parts that `hide_reasoning`, `hide_workflow_progress`, `hide_error_banners` and `hide_state_transitions` hide.',
      ),
    ui_messages: z.array(uiMessage).describe('The same messages as screens show them.'),
  })
  .meta({ id: 'Conversation' });

export const conversationWritten = conversation.extend(warningsField).meta({ id: 'ConversationWritten' });

const conversationItem = item
  .extend({
    ui_messages: z.array(uiMessage).max(0).describe('Always empty here; get the conversation for its messages.'),
  })
  .meta({ id: 'ConversationItem' });

const conversationSummary = item
  .pick({ id: true, name: true, status: true, created_at: true, last_updated_at: true, is_locked: true, manual: true })
  .extend({
    agent: z
      .strictObject({
        id: z.guid().describe('The id of the agent.'),
        name: z.string().nullable().describe('Its name; null when it is gone.'),
        image_url: z.string().nullable().describe('Its picture; null when it has none, or one with a long address.'),
      })
      .nullable()
      .describe('The agent that answers; null when the conversation has none.'),
    channel: z
      .string()
      .nullable()
      .describe('The protocol or channel that it came through (`chat_transport`); null for the API.'),
    message_count: messageCount,
    last_line: z.string().nullable().describe('How its newest message begins; null when that has no text.'),
    last_role: z
      .enum(['user', 'assistant', 'system'])
      .nullable()
      .describe('Who the newest message is from; null while there is none.'),
    tags: z.array(z.string()).describe('The first labels that the workspace has given it, three at most.'),
    pinned: z.boolean().describe('Whether the person who asks has pinned it; false for keys of no person.'),
    archived: z.boolean().describe('Whether the person who asks has archived it; false for keys of no person.'),
    unread: z.boolean().describe('Whether it has messages that the person who asks has not marked as read.'),
    waiting_approvals: z.int().describe('How many of its tool calls wait for an approval.'),
    waiting_questions: z.int().describe('How many questions of the agent wait for an answer.'),
  })
  .meta({ id: 'ConversationSummary' });
export type ConversationSummary = z.output<typeof conversationSummary>;

export const conversationPage = paged(conversationItem, conversationSummary);

const name = s.str({ max: 500 });
const settings = s.optional(settingsInput);
/** A label of conversations: no space at either end, no control characters. */
export const tagName = s.str({ min: 1, max: 40, pattern: /^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u });
const versionId = s.optional(s.uuid('agent_version'));

export const conversationCreate = s
  .object({
    assistant_id: s
      .optional(s.uuid('agent'))
      .describe('The agent that answers, when the query does not name it. Two different ones are 422.'),
    name: s.optional(name).describe('The title; without one the conversation gets its title from the first message.'),
    settings: settings.describe("Settings of this conversation, over the agent's. The agent's locks apply."),
    preview: s
      .withDefault(s.bool(), false)
      .describe("Follow the agent's draft, or its published version when there is none; needs `agents_edit`."),
    assistant_version_id: versionId.describe(
      "The agent's version to pin the conversation to; the published one unless given. Another one needs `agents_edit`.",
    ),
    variables: s
      .optional(s.dict())
      .describe(
        "Values for `{{name}}` in this conversation's prompts, over the workspace's variables. Never shown again.",
      ),
  })
  .meta({ id: 'ConversationCreate' });

export const conversationCreateQuery = s.query({
  assistant_id: s
    .optional(s.uuid('agent'))
    .describe('The agent that answers; without one the settings of the conversation alone apply.'),
});

export const conversationPatch = s
  .object({
    name: s.optional(name).describe('The new title.'),
    settings: settings.describe('Settings to change; the others stay. Looser values need `agents_edit`.'),
    assistant_version_id: versionId.describe('Another version of the agent to pin the conversation to.'),
    tags: s
      .optional(s.list(tagName, { max: 10 }))
      .describe('The labels that it has from now on, at most 10; an empty list takes all away.'),
    manual: s.optional(s.bool()).describe('True: a person answers instead of the agent from the next message on.'),
  })
  .meta({ id: 'ConversationPatch' });

export const conversationId = s.uuid('conversation').describe('The id of the conversation.');
export const conversationParams = s.object({ conversation_id: conversationId });

export const conversationListQuery = s.query({
  ...namedList(['name', 'created_at', 'last_updated_at'], { order: 'those that changed last first' }),
  assistant_id: s.optional(s.uuid('agent')).describe('Only conversations with this agent, deleted agents included.'),
  assistant_version_id: s
    .optional(s.uuid('agent_version'))
    .describe('Only conversations that are pinned to this version of their agent.'),
  status: s.optional(s.oneOf(runStatuses)).describe('Only conversations whose latest run has this status.'),
  channel: s
    .optional(s.str({ min: 1, max: 100 }))
    .describe('Only conversations that came through this protocol or channel (`chat_transport`).'),
  deployment_id: s.optional(s.uuid('deployment')).describe('Only conversations that came through this deployment.'),
  person_id: s
    .optional(s.uuid('person'))
    .describe('Only conversations of this person, begun in their sessions or with their keys.'),
  locked: s.optional(s.bool()).describe('Only conversations that are locked, or only those that are not.'),
  rating: s
    .optional(s.oneOf(['up', 'down']))
    .describe('Only conversations with feedback of this rating; needs `conversations_read`.'),
  topic_id: s
    .optional(s.str({ pattern: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/ }))
    .describe('Only conversations about this topic, as the insights of an agent list them; needs `insights_read`.'),
  tag: s.optional(s.str({ min: 1, max: 40 })).describe('Only conversations with this tag.'),
  pinned: s
    .optional(s.bool())
    .describe('Only conversations that the person who asks has pinned, or only the others. Keys of no person get 409.'),
  archived: s
    .optional(s.bool())
    .describe('Only those that the person who asks has archived, or only the others; both unless given.'),
  unread: s.optional(s.bool()).describe('Only those that are unread for the person who asks, or only the others.'),
  shared: s
    .withDefault(s.bool(), false)
    .describe(
      'Only conversations of others that are shared with the person who asks, their groups or roles. Keys of no person get 409.',
    ),
  facets: facetsField(),
  include_empty: s.withDefault(s.bool(), false).describe('Also list conversations that have no message yet.'),
  mine: s
    .withDefault(s.bool(), false)
    .describe(
      'Only conversations of the person who asks, begun in their sessions or with their keys; none for keys of service accounts. People without `conversations_read` see no others anyway.',
    ),
});

export const lockBody = s
  .object({
    message: s
      .optional(s.str({ max: 2000 }))
      .describe('What senders are told while it is locked; the setting `block_message` unless given.'),
  })
  .meta({ id: 'ConversationLock' });
export const shareBody = s
  .object({
    expires_at: s
      .optional(s.datetimeOrEmpty())
      .describe(
        'When the link ends by itself, in the future; an empty text takes the end away. As before unless given.',
      ),
    read_only: s
      .optional(s.bool())
      .describe(
        'True: guests read, and send neither messages nor feedback. As before unless given; a new link takes both.',
      ),
  })
  .meta({ id: 'ConversationShare' });
export const exportQuery = s.query({
  format: s.withDefault(s.oneOf(['markdown', 'json']), 'markdown').describe('The format of the file.'),
});

export const messagesQuery = s.query({
  cursor: s
    .optional(s.int({ ge: 0, le: 2_147_483_647 }))
    .describe('The `next_cursor` of the page before; the first page unless given.'),
  size: s.withDefault(s.int({ ge: 1, le: 200 }), 50).describe('The most messages in the answer.'),
  order: s.withDefault(s.oneOf(['newest', 'oldest']), 'newest').describe('Which messages come first.'),
  format: s
    .withDefault(s.oneOf(['stored', 'ui']), 'stored')
    .describe('`ui` answers the messages as screens show them, as in `ui_messages` of the conversation.'),
});

export const conversationQuery = s.query({
  messages: s
    .withDefault(s.int({ ge: 0, le: 200 }), 200)
    .describe('How many of the newest messages the answer has at most; 0 leaves all out.'),
});

export const messagesAnswer = z.strictObject({
  items: z.array(z.union([message, uiMessage])).describe('The messages of this page, in the order asked for.'),
  next_cursor: z.int().nullable().describe('Send it as `cursor` for the next page; null on the last one.'),
});

const feedbackForm = z.strictObject({
  placeholder: z.string().describe('The text shown in the empty comment field.'),
  submit_label: z.string().describe('The label of the button that sends the feedback.'),
  cancel_label: z.string().describe('The label of the button that closes the form.'),
});

export const publicConversation = z
  .strictObject({
    id: z.guid().describe('The id of the conversation.'),
    name: z.string().nullable().describe('The title; null until there is one.'),
    status,
    created_at: createdAt,
    last_updated_at: lastUpdatedAt,
    etag: z.string().describe('Changes with every change of the conversation.'),
    is_locked: isLocked,
    lock_message: lockMessage,
    read_only: z.boolean().describe('Whether the link is for reading only: it sends neither messages nor feedback.'),
    input_placeholder: z
      .string()
      .describe('The text in the empty message field: `chat_input_placeholder` of the settings.'),
    feedback_form: feedbackForm.describe("The texts of the feedback form, from the agent's settings."),
    ui_messages: z
      .array(uiMessage)
      .describe('The newest 200 messages as screens show them, oldest first, without system messages.'),
  })
  .meta({ id: 'PublicConversation' });

export const publicParams = s.object({
  token: s.str({ min: 1, max: 200 }).describe('The secret of the public link (`public_access_token`).'),
});

export type ConversationCreate = z.output<typeof conversationCreate>;
export type ConversationPatch = z.output<typeof conversationPatch>;
export type ConversationShare = z.output<typeof shareBody>;
export type ConversationListQuery = z.output<typeof conversationListQuery>;
export type MessagesQuery = z.output<typeof messagesQuery>;
export type PublicConversation = z.output<typeof publicConversation>;
export type UiMessage = z.output<typeof uiMessage>;
export type RunStatus = (typeof runStatuses)[number];
