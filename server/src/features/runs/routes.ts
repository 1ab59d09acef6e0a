import { z } from 'zod';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { ConversationPresenter } from '../conversations/present.ts';
import { conversation, conversationParams } from '../conversations/schema.ts';
import { messageRequest } from './message-request.ts';
import { chatAnswer, eventsQuery, messageEdit, messageParams, sendQuery, streamQuery } from './schema.ts';
import { streamRequest } from './transport-request.ts';
import type { Turns } from './turns.ts';

const tag = 'Messages';
const permission = 'agents_run';
const params = conversationParams;
const idempotency = 'own';
/** Messages bring files along. */
const body_limit = 40 * 1024 * 1024;
const example = { content: 'Where is my order 1042?' };
const stream = { answer: z.looseObject({}), content_type: 'text/event-stream' };

/** What a user can do in a conversation: say something, watch, stop, say it differently. */
export const messageRoutes = (turns: Turns, present: ConversationPresenter): Route[] => [
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}',
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
    handler: (scope, { params, query, body }) => turns.send(scope, params.conversation_id, body, query.if_running),
    present: present.conversation,
  }),
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}/chat',
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
    handler: (scope, { params, query, body }) => turns.chat(scope, params.conversation_id, body, query.if_running),
  }),
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}/stream',
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
    handler: (scope, { params, query, body }) => turns.stream(scope, params.conversation_id, body, query),
  }),
  defineRoute({
    route: 'GET /v1/conversations/{conversation_id}/events',
    summary: 'Join the answer that is being given, or go on where the stream was cut off',
    tag,
    permission,
    params,
    query: eventsQuery,
    ...stream,
    handler: (scope, { params, query, last_event_id }) =>
      turns.events(scope, params.conversation_id, query.format, { ...query, last_event_id }),
  }),
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}/stop',
    summary: 'Stop the answer that is being given',
    tag,
    permission,
    params,
    answer: conversation,
    handler: (scope, { params }) => turns.stop(scope, params.conversation_id),
    present: present.conversation,
  }),
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}/human',
    summary: 'Answer in place of the agent, in a conversation that waits for a person',
    tag,
    // Whoever was refused must not answer in the person's place.
    permission: 'conversations_read',
    params,
    body: messageEdit,
    body_limit,
    example: { content: 'I looked into it: your order leaves today.' },
    answer: conversation,
    handler: (scope, { params, body }) => turns.human(scope, params.conversation_id, body.content),
    present: present.conversation,
  }),
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}/messages/{message_id}/edit',
    summary: 'Say something else in place of a message and have it answered',
    tag,
    permission,
    params: messageParams,
    body: messageEdit,
    body_limit,
    idempotency,
    example: { content: 'Where is my order 1043?' },
    answer: conversation,
    handler: (scope, { params, body }) => turns.edit(scope, params.conversation_id, params.message_id, body.content),
    present: present.conversation,
  }),
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}/messages/{message_id}/regenerate',
    summary: 'Have a message answered once more',
    tag,
    permission,
    params: messageParams,
    idempotency,
    answer: conversation,
    handler: (scope, { params }) => turns.regenerate(scope, params.conversation_id, params.message_id),
    present: present.conversation,
  }),
];
