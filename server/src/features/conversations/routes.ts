import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { ConversationPresenter } from './present.ts';
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
import type { Conversations } from './service.ts';

const tag = 'Conversations';
const permission = 'agents_run';

export const conversationRoutes = (conversations: Conversations, present: ConversationPresenter): Route[] => [
  defineRoute({
    route: 'POST /v1/conversations',
    summary: 'Create a conversation',
    tag,
    permission,
    query: conversationCreateQuery,
    body: conversationCreate,
    example: { name: 'Return of order 1042', settings: { temperature: 0.2 }, variables: { city: 'Oslo' } },
    answer: conversationWritten,
    handler: (scope, { query, body }) => conversations.create(scope, query.assistant_id, body),
    present: present.conversation,
  }),
  defineRoute({
    route: 'GET /v1/conversations',
    summary: 'List conversations, the latest first',
    tag,
    permission,
    query: conversationListQuery,
    answer: conversationPage,
    handler: (scope, { query }) => conversations.list(scope, query),
    present: present.page,
  }),
  defineRoute({
    route: 'GET /v1/conversations/{conversation_id}',
    summary: 'Get a conversation with its newest messages',
    tag,
    permission,
    params: conversationParams,
    answer: conversation,
    handler: (scope, { params }) => conversations.get(scope, params.conversation_id),
    present: present.conversation,
  }),
  defineRoute({
    route: 'PATCH /v1/conversations/{conversation_id}',
    summary: 'Change a conversation',
    tag,
    permission,
    params: conversationParams,
    body: conversationPatch,
    example: { name: 'Return of order 1042, settled' },
    answer: conversationWritten,
    handler: (scope, { params, body, if_match }) => conversations.update(scope, params.conversation_id, body, if_match),
    present: present.conversation,
  }),
  defineRoute({
    route: 'DELETE /v1/conversations/{conversation_id}',
    summary: 'Delete a conversation and its messages',
    tag,
    permission,
    params: conversationParams,
    answer: success,
    handler: async (scope, { params }) => {
      await conversations.remove(scope, params.conversation_id);
      return done;
    },
  }),
  defineRoute({
    route: 'GET /v1/conversations/{conversation_id}/messages',
    summary: 'Page through the messages of a conversation',
    tag,
    permission,
    params: conversationParams,
    query: messagesQuery,
    answer: messagesAnswer,
    handler: (scope, { params, query }) => conversations.messages(scope, params.conversation_id, query),
    present: present.messages,
  }),
];
