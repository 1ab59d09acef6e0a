import { z } from 'zod';
import { conversation, conversationParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { messageRequest } from './message-request.ts';
import { runsRoutes } from './routes.ts';
import { chatAnswer, eventsQuery, messageEdit, messageParams, sendQuery, streamQuery } from './schema.ts';
import { streamRequest } from './transport-request.ts';

const tag = 'Messages';

const permission = 'agents_run';

const params = conversationParams;

const idempotency = 'own';

/** Messages bring files along. */
const body_limit = 40 * 1024 * 1024;

const example = { content: 'Where is my order 1042?' };

const stream = { answer: z.looseObject({}), content_type: 'text/event-stream' };

export const sendMessage = operation({
  id: 'messages.send',
  route: runsRoutes['messages.send'],
  summary: 'Send a message and wait for the answer; answers the whole conversation',
  tag,
  permission,
  params,
  query: sendQuery,
  body: messageRequest,
  body_limit,
  idempotency,
  example,
  answer: conversation,
});

export const sendMessageForReply = operation({
  id: 'messages.chat',
  route: runsRoutes['messages.chat'],
  summary: 'Send a message and wait for the answer; answers the reply alone',
  tag,
  permission,
  params,
  query: sendQuery,
  body: messageRequest,
  body_limit,
  idempotency,
  example,
  answer: chatAnswer,
});

export const sendMessageAsStream = operation({
  id: 'messages.stream',
  route: runsRoutes['messages.stream'],
  summary: 'Send a message and stream the answer',
  tag,
  permission,
  params,
  query: streamQuery,
  body: streamRequest,
  body_limit,
  idempotency,
  example,
  ...stream,
});

export const followConversation = operation({
  id: 'messages.follow',
  route: runsRoutes['messages.follow'],
  summary: 'Join the answer that is being given, or go on where the stream was cut off',
  tag,
  permission,
  params,
  query: eventsQuery,
  ...stream,
});

export const stopReply = operation({
  id: 'messages.stop',
  route: runsRoutes['messages.stop'],
  summary: 'Stop the answer that is being given',
  tag,
  permission,
  params,
  answer: conversation,
});

export const replyAsPerson = operation({
  id: 'messages.replyAsPerson',
  route: runsRoutes['messages.replyAsPerson'],
  summary: 'Answer in place of the agent, in a conversation that waits for a person',
  tag,
  permission: 'conversations_read',
  params,
  body: messageEdit,
  body_limit,
  example: { content: 'I looked into it: your order leaves today.' },
  answer: conversation,
});

export const editMessage = operation({
  id: 'messages.edit',
  route: runsRoutes['messages.edit'],
  summary: 'Say something else in place of a message and have it answered',
  tag,
  permission,
  params: messageParams,
  body: messageEdit,
  body_limit,
  idempotency,
  example: { content: 'Where is my order 1043?' },
  answer: conversation,
});

export const regenerateMessage = operation({
  id: 'messages.regenerate',
  route: runsRoutes['messages.regenerate'],
  summary: 'Have a message answered once more',
  tag,
  permission,
  params: messageParams,
  idempotency,
  answer: conversation,
});

export const messageOperations = [
  sendMessage,
  sendMessageForReply,
  sendMessageAsStream,
  followConversation,
  stopReply,
  replyAsPerson,
  editMessage,
  regenerateMessage,
];
