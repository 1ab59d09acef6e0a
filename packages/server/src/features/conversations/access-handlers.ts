import {
  exportConversation,
  getPublicConversation,
  lockConversation,
  shareConversation,
  unlockConversation,
  unshareConversation,
} from '@atrium/contract/conversations/access-operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { ConversationExport } from './conversation-export.ts';
import type { ConversationLocking } from './locking.ts';
import type { ConversationPresenter } from './present-conversation.ts';
import type { ConversationLinks } from './public-links.ts';

/** Who may come in and who may take it along: locks, shared links, exports. */
export const conversationAccessRoutes = (options: {
  locking: ConversationLocking;
  links: ConversationLinks;
  exporting: ConversationExport;
  present: ConversationPresenter;
}): Route[] => {
  const { locking, links, exporting, present } = options;
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
    handle(shareConversation, (scope, { params }) => links.share(scope, params.conversation_id), present.conversation),
    handle(
      unshareConversation,
      (scope, { params }) => links.unshare(scope, params.conversation_id),
      present.conversation,
    ),
    handle(exportConversation, (scope, { params, query }) => exporting(scope, params.conversation_id, query.format)),
    handle(getPublicConversation, (scope) => links.view(scope)),
  ];
};
