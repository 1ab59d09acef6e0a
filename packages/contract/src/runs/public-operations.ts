import * as z from 'zod';
import { base64 } from '../attachments/schema.ts';
import { publicParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import * as s from '../schema/schema.ts';
import { type MessageRequest, messageContent } from './message-request.ts';
import { runsRoutes } from './routes.ts';
import { eventsQuery, publicStreamQuery } from './schema.ts';
import { asMessageRequest } from './transport-request.ts';

/** Guests send bytes only: no URLs to fetch, and no ids of files of the workspace. */
const guestFile = s
  .object({
    status: s
      .withDefault(s.oneOf(['success']), 'success')
      .describe('Always `success`; accepted because clients send it.'),
    name: s.str({ max: 1000 }).describe('The name of the file.'),
    b64_content: base64.describe('The bytes of the file in standard base64.'),
    size: s.withDefault(s.int({ ge: 0 }), 1).describe('Ignored: the size is taken from the bytes.'),
    type: s.withDefault(s.str({ max: 255 }), '').describe('Ignored: the media type is detected from the bytes.'),
  })
  .meta({ id: 'GuestFile' });

/** Guests send text and files; they do not choose tools or models. */
const guestFields = s.object({
  content: messageContent,
  files: s
    .optional(s.list(guestFile, { max: 50 }))
    .describe('Files that the model reads with the message; refused with 403 where the page takes no files.'),
});
const guestMessage = z.preprocess(asMessageRequest, guestFields).meta({ id: 'GuestMessage' }) as unknown as z.ZodType<
  MessageRequest,
  z.input<typeof guestFields>
>;

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
  audit: { none: 'messages are content' },
  ...shared,
  summary: 'Send a message in a shared conversation and stream the answer',
  description:
    'Adds a message of a guest, who holds the link of the conversation, and streams the answer as server-sent events. Guests cannot choose tools or models, and send a limited number of messages.',
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
  summary: 'Join or resume the stream of an answer in a shared conversation',
  description: 'Like `messages.follow`, for a guest who holds the link of the conversation.',
  query: eventsQuery,
});

export const stopPublicConversation = operation({
  id: 'publicConversations.stop',
  route: runsRoutes['publicConversations.stop'],
  tag: 'Conversations',
  permission: 'link',
  audit: { none: 'a run is work; it is listed with its own trace' },
  params: publicParams,
  summary: 'Stop the answer in a shared conversation',
  description:
    'Stops the current answer in the conversation of the link. A run that waits for a person of the workspace goes on waiting.',
  answer: success,
});

export const publicConversationOperations = [
  streamPublicConversation,
  followPublicConversation,
  stopPublicConversation,
];
