import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { conversationsRoutes } from './routes.ts';
import {
  conversationCreate,
  conversationCreateQuery,
  conversationListQuery,
  conversationPage,
  conversationParams,
  conversationPatch,
  conversationQuery,
  conversationWritten,
  messagesAnswer,
  messagesQuery,
} from './schema.ts';

const tag = 'Conversations';

const permission = 'agents_run';

export const createConversation = operation({
  id: 'conversations.create',
  route: conversationsRoutes['conversations.create'],
  summary: 'Create a conversation',
  description:
    'Creates an empty conversation, with an agent when `assistant_id` is given. It is pinned to the version that is published now; a preview follows the draft instead. The answer has `warnings` for settings that were accepted and have no effect.',
  tag,
  permission,
  audit: { none: 'it is the use of an agent, not a change of it' },
  query: conversationCreateQuery,
  body: conversationCreate,
  example: { name: 'Return of order 1042', settings: { temperature: 0.2 }, variables: { city: 'Oslo' } },
  answer: conversationWritten,
});

export const listConversations = operation({
  id: 'conversations.list',
  route: conversationsRoutes['conversations.list'],
  summary: 'List the conversations of the workspace, last changed first',
  description:
    'Returns all conversations of the workspace that match the filters, page by page and without their messages. Conversations without a message are left out unless `include_empty` is true.',
  tag,
  permission,
  query: conversationListQuery,
  answer: conversationPage,
});

export const getConversation = operation({
  id: 'conversations.get',
  route: conversationsRoutes['conversations.get'],
  summary: 'Get a conversation with its newest messages',
  description:
    'Returns a conversation with its newest 200 messages, stored and as screens show them. Use `/messages` to page through older ones and `/events` to follow a run that goes on.',
  tag,
  permission,
  params: conversationParams,
  query: conversationQuery,
  answer: conversationWritten,
});

export const updateConversation = operation({
  id: 'conversations.update',
  route: conversationsRoutes['conversations.update'],
  summary: 'Update a conversation',
  description:
    "Changes the given fields and keeps the others; a request that changes nothing keeps the etag. With the header `If-Match` the request fails with 409 when the conversation was changed since. The agent's locks and the permissions of the caller limit which settings can change.",
  tag,
  permission,
  params: conversationParams,
  body: conversationPatch,
  example: { name: 'Return of order 1042, settled' },
  answer: conversationWritten,
});

export const deleteConversation = operation({
  id: 'conversations.delete',
  route: conversationsRoutes['conversations.delete'],
  summary: 'Delete a conversation and its messages',
  description:
    "Deletes a conversation with its messages, runs, approvals, memories and feedback; this can't be undone. Files of the workspace stay, and so does the record of tool calls and usage.",
  tag,
  permission,
  params: conversationParams,
  answer: success,
});

export const listMessages = operation({
  id: 'conversations.listMessages',
  route: conversationsRoutes['conversations.listMessages'],
  summary: 'Page through the messages of a conversation',
  description:
    'Returns the messages of a conversation by cursor, newest first unless asked otherwise. The answer has a cursor instead of page numbers, since a conversation grows while it is read. Messages that an edit has replaced are left out.',
  tag,
  permission,
  params: conversationParams,
  query: messagesQuery,
  answer: messagesAnswer,
});

export const conversationsOperations = [
  createConversation,
  listConversations,
  getConversation,
  updateConversation,
  deleteConversation,
  listMessages,
];
