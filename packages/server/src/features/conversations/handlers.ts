import {
  createConversation,
  deleteConversation,
  getConversation,
  listConversations,
  listMessages,
  updateConversation,
} from '@atrium/contract/conversations/operations.ts';
import type { ConversationSummary } from '@atrium/contract/conversations/schema.ts';
import { invalid } from '@atrium/contract/errors.ts';
import { done, type Paged } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { ConversationPresenter, OpenConversation } from './ports.ts';
import type { Conversations } from './service.ts';

/** The agent that the query or the body names. */
function agentOf(asked: string | undefined, sent: string | undefined): string | undefined {
  if (asked && sent && asked.toLowerCase() !== sent.toLowerCase())
    throw invalid(['body', 'assistant_id'], 'the query names another assistant_id', sent);
  return asked ?? sent;
}

export const conversationRoutes = (conversations: Conversations, present: ConversationPresenter): Route[] => [
  handle(
    createConversation,
    (scope, { query, body }) => conversations.create(scope, agentOf(query.assistant_id, body.assistant_id), body),
    present.conversation,
  ),
  handle(
    listConversations,
    (scope, { query }): Promise<Paged<OpenConversation | ConversationSummary>> =>
      query.view === 'summary' ? conversations.summaries(scope, query) : conversations.list(scope, query),
    // Summaries are ready as they are.
    (page, scope) => present.page(page as Paged<OpenConversation>, scope),
  ),
  handle(
    getConversation,
    (scope, { params, query }) => conversations.show(scope, params.conversation_id, query.messages),
    present.conversation,
  ),
  handle(
    updateConversation,
    (scope, { params, body }) => conversations.update(scope, params.conversation_id, body),
    present.conversation,
  ),
  handle(deleteConversation, async (scope, { params }) => {
    await conversations.remove(scope, params.conversation_id);
    return done;
  }),
  handle(
    listMessages,
    (scope, { params, query }) => conversations.messages(scope, params.conversation_id, query),
    present.messages,
  ),
];
