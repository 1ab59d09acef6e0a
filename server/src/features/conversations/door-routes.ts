import { z } from 'zod';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { ConversationExport } from './export.ts';
import type { ConversationLinks } from './links.ts';
import type { ConversationLocking } from './locking.ts';
import type { ConversationPresenter } from './present.ts';
import { conversation, conversationParams, exportQuery, lockBody, publicConversation, publicParams } from './schema.ts';

const tag = 'Conversations';
const params = conversationParams;

/** Who may come in and who may take it along: locks, shared links, exports. */
export const conversationDoorRoutes = (options: {
  locking: ConversationLocking;
  links: ConversationLinks;
  exporting: ConversationExport;
  present: ConversationPresenter;
}): Route[] => {
  const { locking, links, exporting, present } = options;
  return [
    defineRoute({
      route: 'POST /v1/conversations/{conversation_id}/lock',
      summary: 'Lock a conversation: it takes no more messages',
      tag,
      permission: 'agents_edit',
      params,
      body: lockBody,
      example: { message: 'This case is closed.' },
      answer: conversation,
      handler: (scope, { params, body }) => locking.lock(scope, params.conversation_id, body.message),
      present: present.conversation,
    }),
    defineRoute({
      route: 'POST /v1/conversations/{conversation_id}/unlock',
      summary: 'Unlock a conversation',
      tag,
      permission: 'org:admin',
      params,
      answer: conversation,
      handler: (scope, { params }) => locking.unlock(scope, params.conversation_id),
      present: present.conversation,
    }),
    defineRoute({
      route: 'POST /v1/conversations/{conversation_id}/share',
      summary: 'Make a public link to a conversation',
      tag,
      permission: 'agents_run',
      params,
      answer: conversation,
      handler: (scope, { params }) => links.share(scope, params.conversation_id),
      present: present.conversation,
    }),
    defineRoute({
      route: 'DELETE /v1/conversations/{conversation_id}/share',
      summary: 'End the public link of a conversation',
      tag,
      permission: 'agents_run',
      params,
      answer: conversation,
      handler: (scope, { params }) => links.unshare(scope, params.conversation_id),
      present: present.conversation,
    }),
    defineRoute({
      route: 'GET /v1/conversations/{conversation_id}/export',
      summary: 'Download a conversation as Markdown or JSON',
      tag,
      permission: 'agents_run',
      params,
      query: exportQuery,
      content_type: 'text/markdown',
      answer: z.unknown(),
      handler: (scope, { params, query }) => exporting(scope, params.conversation_id, query.format),
    }),
    defineRoute({
      route: 'GET /v1/public/conversations/{token}',
      summary: 'Read a shared conversation',
      tag,
      permission: 'link',
      params: publicParams,
      answer: publicConversation,
      handler: (scope) => links.view(scope),
    }),
  ];
};
