import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { conversationsRoutes } from './routes.ts';
import {
  conversation,
  conversationCreate,
  conversationCreateQuery,
  conversationListQuery,
  conversationPage,
  conversationParams,
  conversationPatch,
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
  tag,
  permission,
  query: conversationCreateQuery,
  body: conversationCreate,
  example: { name: 'Return of order 1042', settings: { temperature: 0.2 }, variables: { city: 'Oslo' } },
  answer: conversationWritten,
});

export const listConversations = operation({
  id: 'conversations.list',
  route: conversationsRoutes['conversations.list'],
  summary: 'List conversations, the latest first',
  tag,
  permission,
  query: conversationListQuery,
  answer: conversationPage,
});

export const getConversation = operation({
  id: 'conversations.get',
  route: conversationsRoutes['conversations.get'],
  summary: 'Get a conversation with its newest messages',
  tag,
  permission,
  params: conversationParams,
  answer: conversation,
});

export const updateConversation = operation({
  id: 'conversations.update',
  route: conversationsRoutes['conversations.update'],
  summary: 'Change a conversation',
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
  tag,
  permission,
  params: conversationParams,
  answer: success,
});

export const listMessages = operation({
  id: 'conversations.listMessages',
  route: conversationsRoutes['conversations.listMessages'],
  summary: 'Page through the messages of a conversation',
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
