import { conversationParams, publicParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { feedbackRoutes } from './routes.ts';
import {
  feedback,
  feedbackBody,
  feedbackEntryPage,
  feedbackListQuery,
  feedbackPage,
  guestFeedbackBody,
  messageParams,
  workspaceFeedbackQuery,
} from './schema.ts';

const tag = 'Feedback';

const permission = 'agents_run';

const example = { rating: 'down', comment: 'The order number is another one.' };

export const giveMessageFeedback = operation({
  id: 'feedback.giveForMessage',
  route: feedbackRoutes['feedback.giveForMessage'],
  summary: 'Rate a message',
  description:
    "Stores the caller's rating, score or comment about a message; at least one of them is needed. Sending it again replaces what the same caller gave before.",
  tag,
  permission,
  audit: { none: 'feedback is content' },
  params: messageParams,
  body: feedbackBody,
  example,
  answer: feedback,
});

export const deleteMessageFeedback = operation({
  id: 'feedback.deleteForMessage',
  route: feedbackRoutes['feedback.deleteForMessage'],
  summary: 'Delete your feedback about a message',
  description:
    'Deletes the feedback that the caller gave about the message. It succeeds when there is none, and never touches feedback of other callers.',
  tag,
  permission,
  audit: { none: 'feedback is content' },
  params: messageParams,
  answer: success,
});

export const giveConversationFeedback = operation({
  id: 'feedback.giveForConversation',
  route: feedbackRoutes['feedback.giveForConversation'],
  summary: 'Rate a conversation',
  description:
    "Stores the caller's rating, score or comment about the whole conversation; at least one of them is needed. Sending it again replaces what the same caller gave before.",
  tag,
  permission,
  audit: { none: 'feedback is content' },
  params: conversationParams,
  body: feedbackBody,
  example: { score: 4 },
  answer: feedback,
});

export const deleteConversationFeedback = operation({
  id: 'feedback.deleteForConversation',
  route: feedbackRoutes['feedback.deleteForConversation'],
  summary: 'Delete your feedback about a conversation',
  description:
    'Deletes the feedback that the caller gave about the whole conversation; feedback about its messages stays. It succeeds when there is none.',
  tag,
  permission,
  audit: { none: 'feedback is content' },
  params: conversationParams,
  answer: success,
});

export const listFeedback = operation({
  id: 'feedback.list',
  route: feedbackRoutes['feedback.list'],
  summary: 'List the feedback about a conversation and its messages, latest first',
  description: 'Returns the feedback of all callers and guests about a conversation and its messages, page by page.',
  tag,
  permission: 'conversations_read',
  params: conversationParams,
  query: feedbackListQuery,
  answer: feedbackPage,
});

export const listWorkspaceFeedback = operation({
  id: 'feedback.listAll',
  route: feedbackRoutes['feedback.listAll'],
  summary: 'List the feedback of the workspace, latest first',
  description:
    'Returns the feedback about all conversations that the caller may read, page by page. Use it to find the answers that people disliked: `rating=down` or a low `score`, by agent and time.',
  tag,
  permission: 'conversations_read',
  query: workspaceFeedbackQuery,
  answer: feedbackEntryPage,
});

export const giveGuestFeedback = operation({
  id: 'publicConversations.giveFeedback',
  route: feedbackRoutes['publicConversations.giveFeedback'],
  summary: 'Rate a shared conversation or a message in it',
  description:
    'Stores the feedback of the guests of a shared link, about the conversation or, with `message_id`, about one message. All guests of one link count as one: sending it again replaces what was there.',
  tag,
  permission: 'link',
  audit: { none: 'feedback is content' },
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
  listWorkspaceFeedback,
  giveGuestFeedback,
];
