import {
  editMessage,
  followConversation,
  regenerateMessage,
  replyAsPerson,
  sendMessage,
  sendMessageAsStream,
  sendMessageForReply,
  stopReply,
} from '@atrium/contract/runs/operations.ts';
import { RawAnswer } from '../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ConversationPresenter, WholeConversation } from '../conversations/ports.ts';
import type { Turns } from './start/turns.ts';

/** The endpoints of messages: send, follow, stop, edit, regenerate. */
export function messageRoutes(turns: Turns, present: ConversationPresenter): Route[] {
  const presentBranch = (answer: WholeConversation | RawAnswer, scope: Scope) =>
    answer instanceof RawAnswer ? answer : present.conversation(answer, scope);
  return [
    handle(
      sendMessage,
      (scope, { params, query, body }) => turns.send(scope, params.conversation_id, body, query.if_running),
      present.conversation,
    ),
    handle(sendMessageForReply, (scope, { params, query, body }) =>
      turns.chat(scope, params.conversation_id, body, query.if_running),
    ),
    handle(sendMessageAsStream, (scope, { params, query, body }) =>
      turns.stream(scope, params.conversation_id, body, query),
    ),
    handle(followConversation, (scope, { params, query, last_event_id }) =>
      turns.events(scope, params.conversation_id, query.format, { ...query, last_event_id }),
    ),
    handle(stopReply, (scope, { params }) => turns.stop(scope, params.conversation_id), present.conversation),
    handle(
      replyAsPerson,
      (scope, { params, body }) => turns.human(scope, params.conversation_id, body.content),
      present.conversation,
    ),
    handle(
      editMessage,
      (scope, { params, query, body }) =>
        turns.edit(scope, params.conversation_id, params.message_id, body.content, query),
      presentBranch,
    ),
    handle(
      regenerateMessage,
      (scope, { params, query, body }) =>
        turns.regenerate(scope, params.conversation_id, params.message_id, body, query),
      presentBranch,
    ),
  ];
}
