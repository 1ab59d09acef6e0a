import { z } from 'zod';
import { operation } from '../operation.ts';
import { conversationsRoutes } from './routes.ts';
import { conversation, conversationParams, exportQuery, lockBody, publicConversation, publicParams } from './schema.ts';

const tag = 'Conversations';

const params = conversationParams;

export const lockConversation = operation({
  id: 'conversations.lock',
  route: conversationsRoutes['conversations.lock'],
  summary: 'Lock a conversation: it takes no more messages',
  tag,
  permission: 'agents_edit',
  params,
  body: lockBody,
  example: { message: 'This case is closed.' },
  answer: conversation,
});

export const unlockConversation = operation({
  id: 'conversations.unlock',
  route: conversationsRoutes['conversations.unlock'],
  summary: 'Unlock a conversation',
  tag,
  permission: 'org:admin',
  params,
  answer: conversation,
});

export const shareConversation = operation({
  id: 'conversations.share',
  route: conversationsRoutes['conversations.share'],
  summary: 'Make a public link to a conversation',
  tag,
  permission: 'agents_run',
  params,
  answer: conversation,
});

export const unshareConversation = operation({
  id: 'conversations.unshare',
  route: conversationsRoutes['conversations.unshare'],
  summary: 'End the public link of a conversation',
  tag,
  permission: 'agents_run',
  params,
  answer: conversation,
});

export const exportConversation = operation({
  id: 'conversations.export',
  route: conversationsRoutes['conversations.export'],
  summary: 'Download a conversation as Markdown or JSON',
  tag,
  permission: 'agents_run',
  params,
  query: exportQuery,
  content_type: 'text/markdown',
  answer: z.unknown(),
});

export const getPublicConversation = operation({
  id: 'publicConversations.get',
  route: conversationsRoutes['publicConversations.get'],
  summary: 'Read a shared conversation',
  tag,
  permission: 'link',
  params: publicParams,
  answer: publicConversation,
});

export const conversationAccessOperations = [
  lockConversation,
  unlockConversation,
  shareConversation,
  unshareConversation,
  exportConversation,
  getPublicConversation,
];
