import { z } from 'zod';
import { base64 } from '../attachments/schema.ts';
import { publicParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import * as s from '../schema/schema.ts';
import type { MessageRequest } from './message-request.ts';
import { runsRoutes } from './routes.ts';
import { eventsQuery, publicStreamQuery } from './schema.ts';
import { asMessageRequest } from './transport-request.ts';

/** The bytes themselves: a guest has us fetch nothing and knows no files of the workspace. */
const guestFile = s
  .object({
    status: s.withDefault(s.oneOf(['success']), 'success'),
    name: s.str({ max: 1000 }),
    b64_content: base64,
    size: s.withDefault(s.int({ ge: 0 }), 1),
    type: s.withDefault(s.str({ max: 255 }), ''),
  })
  .meta({ id: 'GuestFile' });

/** What a guest says: words and files. Which tools and models answer is not for guests to choose. */
const guestMessage = z
  .preprocess(
    asMessageRequest,
    s.object({
      content: s.str({ min: 1, max: 2_000_000, pattern: /\S/ }),
      files: s.optional(s.list(guestFile, { max: 50 })),
    }),
  )
  .meta({ id: 'GuestMessage' }) as unknown as z.ZodType<MessageRequest>;

const shared = {
  tag: 'Conversations',
  permission: 'link' as const,
  params: publicParams,
  answer: z.looseObject({}),
  content_type: 'text/event-stream',
};

export const streamPublicConversation = operation({
  id: 'publicConversations.stream',
  route: runsRoutes['publicConversations.stream'],
  ...shared,
  summary: 'Say something in a shared conversation and stream the answer',
  query: publicStreamQuery,
  body: guestMessage,
  body_limit: 40 * 1024 * 1024,
  idempotency: 'own',
  example: { content: 'Where is my order 1042?' },
});

export const followPublicConversation = operation({
  id: 'publicConversations.follow',
  route: runsRoutes['publicConversations.follow'],
  ...shared,
  summary: 'Join the answer that is being given in a shared conversation',
  query: eventsQuery,
});

export const stopPublicConversation = operation({
  id: 'publicConversations.stop',
  route: runsRoutes['publicConversations.stop'],
  tag: 'Conversations',
  permission: 'link',
  params: publicParams,
  summary: 'Stop the answer that is being given in a shared conversation',
  answer: success,
});

export const publicConversationOperations = [
  streamPublicConversation,
  followPublicConversation,
  stopPublicConversation,
];
