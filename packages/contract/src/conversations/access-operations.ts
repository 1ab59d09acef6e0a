import * as z from 'zod';
import { operation } from '../operation.ts';
import { conversationsRoutes } from './routes.ts';
import {
  conversation,
  conversationParams,
  exportQuery,
  lockBody,
  publicConversation,
  publicParams,
  shareBody,
} from './schema.ts';

const tag = 'Conversations';

const params = conversationParams;

export const lockConversation = operation({
  id: 'conversations.lock',
  route: conversationsRoutes['conversations.lock'],
  summary: 'Lock a conversation',
  description:
    'Stops a conversation from taking new messages until it is unlocked; senders are shown the message. It can still be read, updated, exported and deleted. Guardrails lock a conversation in the same way after `block_after_violations` violations.',
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
  description:
    'Lets a locked conversation take messages again and sets its count of guardrail violations to zero. Unlocking a conversation that is not locked changes nothing.',
  tag,
  permission: 'org:admin',
  params,
  answer: conversation,
});

export const shareConversation = operation({
  id: 'conversations.share',
  route: conversationsRoutes['conversations.share'],
  summary: 'Create a public link to a conversation',
  description:
    "Creates a random secret that opens this one conversation without a key, in `public_access_token`; sharing again returns the same secret and changes what the body says of it. A link that has reached its end is answered like one that was ended, and sharing again creates another. The creator of the conversation can share it; sharing another key's conversation needs `conversations_read`. The link of a conversation that came through a page is its visitor's and takes no terms (409 `link_of_visitor`).",
  tag,
  permission: 'agents_run',
  params,
  body: shareBody,
  example: { expires_at: '2099-01-01T00:00:00Z', read_only: true },
  answer: conversation,
});

export const unshareConversation = operation({
  id: 'conversations.unshare',
  route: conversationsRoutes['conversations.unshare'],
  summary: 'End the public link of a conversation',
  description:
    'Makes the public link invalid at once and closes the streams that were opened with it. Sharing the conversation again creates another link.',
  tag,
  permission: 'agents_run',
  params,
  answer: conversation,
});

export const exportConversation = operation({
  id: 'conversations.export',
  route: conversationsRoutes['conversations.export'],
  summary: 'Download a conversation as Markdown or JSON',
  description:
    'Streams the whole conversation as a file: the text as Markdown, or the conversation with all messages as JSON. Tool calls are only part of the JSON, and the public link is never in the file.',
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
  description:
    'Returns the conversation that the link opens, for guests without a key: its messages as screens show them, and nothing about settings, the agent or how replies were made. A link that was ended, has reached its end, or whose deployment was deleted, answers 404.',
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
