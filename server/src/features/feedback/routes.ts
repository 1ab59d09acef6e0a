import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import { publicParams } from '../conversations/schema.ts';
import {
  conversationParams,
  feedback,
  feedbackBody,
  feedbackListQuery,
  feedbackPage,
  guestFeedbackBody,
  messageParams,
} from './schema.ts';
import type { Feedbacks } from './service.ts';

const tag = 'Feedback';
const permission = 'agents_run';
const example = { rating: 'down', comment: 'The order number is another one.' };

export const feedbackRoutes = (feedbacks: Feedbacks): Route[] => [
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}/messages/{message_id}/feedback',
    summary: 'Say what you think of a message; saying it again replaces it',
    tag,
    permission,
    params: messageParams,
    body: feedbackBody,
    example,
    answer: feedback,
    handler: (scope, { params, body }) => feedbacks.give(scope, params.conversation_id, params.message_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/conversations/{conversation_id}/messages/{message_id}/feedback',
    summary: 'Take back what you think of a message',
    tag,
    permission,
    params: messageParams,
    answer: success,
    async handler(scope, { params }) {
      await feedbacks.withdraw(scope, params.conversation_id, params.message_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}/feedback',
    summary: 'Say what you think of a conversation; saying it again replaces it',
    tag,
    permission,
    params: conversationParams,
    body: feedbackBody,
    example: { score: 4 },
    answer: feedback,
    handler: (scope, { params, body }) => feedbacks.give(scope, params.conversation_id, null, body),
  }),
  defineRoute({
    route: 'DELETE /v1/conversations/{conversation_id}/feedback',
    summary: 'Take back what you think of a conversation',
    tag,
    permission,
    params: conversationParams,
    answer: success,
    async handler(scope, { params }) {
      await feedbacks.withdraw(scope, params.conversation_id, null);
      return done;
    },
  }),
  defineRoute({
    route: 'GET /v1/conversations/{conversation_id}/feedback',
    summary: 'List what people think of a conversation and its messages, the latest first',
    tag,
    permission: 'conversations_read',
    params: conversationParams,
    query: feedbackListQuery,
    answer: feedbackPage,
    handler: (scope, { params, query }) => feedbacks.list(scope, params.conversation_id, query),
  }),
  defineRoute({
    route: 'POST /v1/public/conversations/{token}/feedback',
    summary: 'Say what you think of a shared conversation, or of a message in it',
    tag,
    permission: 'link',
    params: publicParams,
    body: guestFeedbackBody,
    example: { rating: 'up' },
    answer: feedback,
    handler: (scope, { body: { message_id, ...given } }) =>
      feedbacks.give(scope, scope.actor.id, message_id ?? null, given),
  }),
];
