import * as z from 'zod';
import { conversation, conversationParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { messageRequest, regenerateRequest } from './message-request.ts';
import { runsRoutes } from './routes.ts';
import { branchQuery, chatAnswer, eventsQuery, messageEdit, messageParams, sendQuery, streamQuery } from './schema.ts';
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
  summary: 'Send a message and wait for the answer',
  description:
    'Adds a message to the conversation, lets the agent answer it, and returns the whole conversation. The request waits for at most 110 seconds; after that it returns the conversation as it is, and the run continues. A request that is repeated with the same `Idempotency-Key` does not send the message again.',
  tag,
  permission,
  audit: { none: 'messages are content' },
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
  summary: 'Send a message and return only the reply',
  description:
    'Like `messages.send`, but returns only the reply, as the list of messages between server and model. Use it when the client needs the text and the tool calls of this one answer.',
  tag,
  permission,
  audit: { none: 'messages are content' },
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
  description:
    "Adds a message and streams the answer as server-sent events. The body is a message, or the body that the AI SDK's chat transport sends. A run continues when the client disconnects; `messages.follow` resumes the stream. With `approvals` it stores these decisions and streams the rest of the run.",
  tag,
  permission,
  audit: { none: 'messages are content' },
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
  summary: 'Join or resume the stream of an answer',
  description:
    'Streams the current answer from its beginning, or from the event after `after`, `etag` or the `Last-Event-ID` header. The stream ends at once when there is no answer that the client has not seen. A client that has read words which a crash of the server has lost gets a `data-reset`, drops what it has of the answer, and gets all of it again.',
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
  description:
    'Stops the current answer, or the next queued one, and returns the conversation. Text that was streamed by then stays in the conversation. A run that waits for a person ends too.',
  tag,
  permission,
  audit: { none: 'a run is work; it is listed with its own trace' },
  params,
  answer: conversation,
});

export const replyAsPerson = operation({
  id: 'messages.replyAsPerson',
  route: runsRoutes['messages.replyAsPerson'],
  summary: 'Answer in place of the agent',
  description:
    "Stores a person's words in a conversation that waits for a person: as the answer to the agent's oldest open question, after which the run continues, or as the reply, which ends the run. It is refused with 409 when the conversation does not wait for a person.",
  tag,
  permission: 'conversations_read',
  audit: { none: 'messages are content' },
  params,
  body: messageEdit,
  body_limit,
  example: { content: 'I looked into it: your order leaves today.' },
  answer: conversation,
});

export const editMessage = operation({
  id: 'messages.edit',
  route: runsRoutes['messages.edit'],
  summary: 'Edit a message and answer it again',
  description:
    "Replaces a message of the user and everything after it by a new branch, and lets the agent answer the new text. The replaced messages are kept but not shown. It is refused with 409 while the agent answers, or for a message that is not the user's. The request waits for the answer; with `format` it streams it, and with `wait=false` it answers 202 with `run_id`, `user_message_id` and `message_id`.",
  tag,
  permission,
  audit: { none: 'messages are content' },
  params: messageParams,
  query: branchQuery,
  body: messageEdit,
  body_limit,
  idempotency,
  example: { content: 'Where is my order 1043?' },
  answer: conversation,
});

export const regenerateMessage = operation({
  id: 'messages.regenerate',
  route: runsRoutes['messages.regenerate'],
  summary: 'Answer a message again',
  description:
    'Replaces an answer, and everything after it, by a new one to the same message. `message_id` is the message of the user or its reply. It is refused with 409 while the agent answers. `model_selection` asks other models for this one answer. With `format` and `wait` as for an edit.',
  tag,
  permission,
  audit: { none: 'messages are content' },
  params: messageParams,
  query: branchQuery,
  body: regenerateRequest,
  idempotency,
  example: {},
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
