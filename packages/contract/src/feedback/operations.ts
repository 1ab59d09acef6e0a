import { publicParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { feedbackRoutes } from './routes.ts';
import {
  conversationParams,
  feedback,
  feedbackBody,
  feedbackListQuery,
  feedbackPage,
  guestFeedbackBody,
  messageParams,
} from './schema.ts';

const tag = 'Feedback';

const permission = 'agents_run';

const example = { rating: 'down', comment: 'The order number is another one.' };

export const giveMessageFeedback = operation({
  id: 'feedback.giveForMessage',
  route: feedbackRoutes['feedback.giveForMessage'],
  summary: 'Say what you think of a message; saying it again replaces it',
  tag,
  permission,
  params: messageParams,
  body: feedbackBody,
  example,
  answer: feedback,
});

export const deleteMessageFeedback = operation({
  id: 'feedback.deleteForMessage',
  route: feedbackRoutes['feedback.deleteForMessage'],
  summary: 'Take back what you think of a message',
  tag,
  permission,
  params: messageParams,
  answer: success,
});

export const giveConversationFeedback = operation({
  id: 'feedback.giveForConversation',
  route: feedbackRoutes['feedback.giveForConversation'],
  summary: 'Say what you think of a conversation; saying it again replaces it',
  tag,
  permission,
  params: conversationParams,
  body: feedbackBody,
  example: { score: 4 },
  answer: feedback,
});

export const deleteConversationFeedback = operation({
  id: 'feedback.deleteForConversation',
  route: feedbackRoutes['feedback.deleteForConversation'],
  summary: 'Take back what you think of a conversation',
  tag,
  permission,
  params: conversationParams,
  answer: success,
});

export const listFeedback = operation({
  id: 'feedback.list',
  route: feedbackRoutes['feedback.list'],
  summary: 'List what people think of a conversation and its messages, the latest first',
  tag,
  permission: 'conversations_read',
  params: conversationParams,
  query: feedbackListQuery,
  answer: feedbackPage,
});

export const giveGuestFeedback = operation({
  id: 'publicConversations.giveFeedback',
  route: feedbackRoutes['publicConversations.giveFeedback'],
  summary: 'Say what you think of a shared conversation, or of a message in it',
  tag,
  permission: 'link',
  params: publicParams,
  body: guestFeedbackBody,
  example: { rating: 'up' },
  answer: feedback,
});

export const feedbackOperations = [
  giveMessageFeedback,
  deleteMessageFeedback,
  giveConversationFeedback,
  deleteConversationFeedback,
  listFeedback,
  giveGuestFeedback,
];
