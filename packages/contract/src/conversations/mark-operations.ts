import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import * as s from '../schema/schema.ts';
import { conversationsRoutes } from './routes.ts';
import { conversationParams } from './schema.ts';

const tag = 'Conversations';
const permission = 'agents_run';
const errors = [
  noSuch('conversation'),
  conflicts('not_a_person', 'The key belongs to no person; only people mark conversations.'),
];

const marks = z
  .strictObject({
    pinned_at: z.iso.datetime().nullable().describe('When the person pinned it; null when it is not pinned.'),
    archived_at: z.iso.datetime().nullable().describe('When the person archived it; null when it is not archived.'),
    unread: z
      .boolean()
      .describe(
        'Whether messages were stored since the person last marked it as read. Conversations of others are unread only once the person has marked them.',
      ),
  })
  .meta({ id: 'ConversationMarks' });

const marksBody = s
  .object({
    pinned: s.optional(s.bool()).describe('Pin it, or take the pin away.'),
    archived: s
      .optional(s.bool())
      .describe('Archive it, or take it out of the archive. Its messages stay as they are.'),
    unread: s.optional(s.bool()).describe('False: all that is stored now is read. True: it is unread again.'),
  })
  .meta({ id: 'ConversationMarksChange' });

export const getMarks = operation({
  id: 'conversations.getMarks',
  route: conversationsRoutes['conversations.getMarks'],
  summary: 'Get what you have marked in a conversation',
  description:
    'Returns whether the person who asks has pinned or archived the conversation, and whether it is unread. Each person has marks of their own, whichever session or key of theirs asks.',
  tag,
  permission,
  params: conversationParams,
  answer: marks,
  errors,
});

export const markConversation = operation({
  id: 'conversations.mark',
  route: conversationsRoutes['conversations.mark'],
  summary: 'Pin, archive or read a conversation',
  description:
    'Changes the marks of the person who asks; those that are left out stay. Nobody else sees them, and the conversation keeps its etag and its place in lists.',
  tag,
  permission,
  audit: { none: 'a person keeps their own list in order' },
  params: conversationParams,
  body: marksBody,
  example: { pinned: true, unread: false },
  answer: marks,
  errors,
});

export const conversationMarkOperations = [getMarks, markConversation];
export type ConversationMarks = z.output<typeof marks>;
export type ConversationMarksChange = z.output<typeof marksBody>;
