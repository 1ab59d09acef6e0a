import {
  deleteConversationFeedback,
  deleteMessageFeedback,
  giveConversationFeedback,
  giveGuestFeedback,
  giveMessageFeedback,
  listFeedback,
  listWorkspaceFeedback,
} from '@atrium/contract/feedback/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Feedbacks } from './service.ts';

export const feedbackRoutes = (feedbacks: Feedbacks): Route[] => [
  handle(giveMessageFeedback, (scope, { params, body }) =>
    feedbacks.give(scope, params.conversation_id, params.message_id, body),
  ),
  handle(deleteMessageFeedback, async (scope, { params }) => {
    await feedbacks.withdraw(scope, params.conversation_id, params.message_id);
    return done;
  }),
  handle(giveConversationFeedback, (scope, { params, body }) =>
    feedbacks.give(scope, params.conversation_id, null, body),
  ),
  handle(deleteConversationFeedback, async (scope, { params }) => {
    await feedbacks.withdraw(scope, params.conversation_id, null);
    return done;
  }),
  handle(listFeedback, (scope, { params, query }) => feedbacks.list(scope, params.conversation_id, query)),
  handle(listWorkspaceFeedback, (scope, { query }) => feedbacks.listAll(scope, query)),
  handle(giveGuestFeedback, (scope, { body: { message_id, ...given } }) =>
    feedbacks.give(scope, scope.actor.id, message_id ?? null, given),
  ),
];
