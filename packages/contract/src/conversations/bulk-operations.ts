import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts } from '../operation-errors.ts';
import * as s from '../schema/schema.ts';
import { conversationsRoutes } from './routes.ts';
import { tagName } from './schema.ts';

const tag = 'Conversations';
const permission = 'agents_run';

const conversationIds = s
  .list(s.uuid(), { min: 1, max: 500 })
  .describe('The conversations, at most 500; each is answered for itself.');

const bulkBody = s
  .object({
    action: s
      .oneOf(['delete', 'tag', 'untag', 'archive', 'unarchive', 'pin', 'unpin', 'read', 'unread'])
      .describe('What to do with each. From `archive` on these are the marks of the person who asks.'),
    conversation_ids: conversationIds,
    tags: s
      .optional(s.list(tagName, { min: 1, max: 10 }))
      .describe('The tags to add or to take away; needed by `tag` and `untag`.'),
  })
  .meta({ id: 'ConversationsBulk' });

const bulkAnswer = z
  .strictObject({
    done: z.int().describe('How many were done.'),
    failed: z.int().describe('How many were not.'),
    items: z
      .array(
        z.strictObject({
          id: z.guid().describe('The id of the request.'),
          done: z.boolean().describe('Whether it was done.'),
          code: z
            .string()
            .nullable()
            .describe('Why it was not done: `not_found`, or `too_many_tags`; null when it was.'),
          message: z.string().nullable().describe('The same in a sentence; null when it was done.'),
        }),
      )
      .describe('One entry for each id, in the order of the request; an id that is given twice has one.'),
  })
  .meta({ id: 'ConversationsBulkAnswer' });

export const changeConversations = operation({
  id: 'conversations.bulk',
  route: conversationsRoutes['conversations.bulk'],
  summary: 'Delete, tag or mark many conversations',
  description:
    'Does the same with up to 500 conversations and answers for each of them. One that fails does not keep the others from being done; those that the caller does not see are not found.',
  tag,
  permission,
  body: bulkBody,
  example: { action: 'tag', tags: ['billing'], conversation_ids: ['01900000-0000-7000-8000-000000000000'] },
  answer: bulkAnswer,
  errors: [conflicts('not_a_person', 'The key belongs to no person; only people mark conversations.')],
});

const bulkExportBody = s.object({ conversation_ids: conversationIds }).meta({ id: 'ConversationsExport' });

export const exportConversations = operation({
  id: 'conversations.exportMany',
  route: conversationsRoutes['conversations.exportMany'],
  summary: 'Download many conversations',
  description:
    'Streams up to 500 conversations as lines of JSON, in the order of the request: `id`, `done` and `conversation`, as the export of one has it, or `id`, `done`, `code` and `message` where the caller sees no such conversation. Public links are never in the file.',
  tag,
  permission,
  audit: { none: 'it changes nothing, like the export of one conversation' },
  idempotency: 'none',
  body: bulkExportBody,
  example: { conversation_ids: ['01900000-0000-7000-8000-000000000000'] },
  content_type: 'application/x-ndjson',
  answer: z.unknown(),
});

export const conversationBulkOperations = [changeConversations, exportConversations];
export type ConversationsBulk = z.output<typeof bulkBody>;
export type ConversationsBulkAnswer = z.output<typeof bulkAnswer>;
