import {
  exportConversation,
  getPublicConversation,
  lockConversation,
  shareConversation,
  unlockConversation,
  unshareConversation,
} from '@atrium/contract/conversations/access-operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { ExportConversation } from './conversation-export.ts';
import type { ConversationLocking } from './locking.ts';
import type { ConversationLinks, ConversationPresenter } from './ports.ts';

/** Locks, shared links and exports of conversations. */
export const conversationAccessRoutes = (options: {
  locking: ConversationLocking;
  links: ConversationLinks;
  exportConversation: ExportConversation;
  present: ConversationPresenter;
}): Route[] => {
  const { locking, links, present } = options;
  return [
    handle(
      lockConversation,
      (scope, { params, body }) => locking.lock(scope, params.conversation_id, body.message),
      present.conversation,
    ),
    handle(
      unlockConversation,
      (scope, { params }) => locking.unlock(scope, params.conversation_id),
      present.conversation,
    ),
    handle(
      shareConversation,
      (scope, { params, body }) => links.share(scope, params.conversation_id, body),
      present.conversation,
    ),
    handle(
      unshareConversation,
      (scope, { params }) => links.unshare(scope, params.conversation_id),
      present.conversation,
    ),
    handle(exportConversation, (scope, { params, query }) =>
      options.exportConversation(scope, params.conversation_id, query.format),
    ),
    handle(getPublicConversation, (scope) => links.view(scope)),
  ];
};
