import type { Notifier } from '../db/notifier.ts';
import { findAgentFaces } from '../features/agents/service.ts';
import { countOpenRequests } from '../features/approvals/service.ts';
import { conversationAccessRoutes } from '../features/conversations/access-handlers.ts';
import { branchRoutes } from '../features/conversations/branches/branch-handlers.ts';
import { makeBranches } from '../features/conversations/branches/branches.ts';
import { makeManyConversations } from '../features/conversations/bulk/bulk.ts';
import { bulkRoutes } from '../features/conversations/bulk/bulk-handlers.ts';
import { makeConversationExport } from '../features/conversations/conversation-export.ts';
import { makeContinueConversation } from '../features/conversations/copy/continue.ts';
import { makeCopyConversation } from '../features/conversations/copy/copy.ts';
import { copyRoutes } from '../features/conversations/copy/copy-handlers.ts';
import { conversationRoutes } from '../features/conversations/handlers.ts';
import { makeConversationLocking } from '../features/conversations/locking.ts';
import { markRoutes } from '../features/conversations/marks/mark-handlers.ts';
import { makeMarks } from '../features/conversations/marks/marks.ts';
import type { WorkspaceAudience } from '../features/conversations/ports.ts';
import { makeConversationPresenter } from '../features/conversations/present-conversation.ts';
import { type ConversationLinksOptions, makeConversationLinks } from '../features/conversations/public-links.ts';
import { type ConversationsOptions, makeConversations } from '../features/conversations/service.ts';
import { shareRoutes } from '../features/conversations/shares/share-handlers.ts';
import { makeConversationShares } from '../features/conversations/shares/shares.ts';
import { ratedConversations } from '../features/feedback/service.ts';
import { copyFileLinks } from '../features/files/store.ts';
import { conversationsAbout } from '../features/insights/service.ts';
import type { SettingsTextCache } from '../features/settings/ports.ts';

type Options = Omit<ConversationsOptions, 'listSources'> & {
  notifier: Notifier;
  settingsText: SettingsTextCache;
  deployed: ConversationLinksOptions['deployed'];
  audience: WorkspaceAudience;
  requireStorage(workspace_id: string): Promise<void>;
};

/** Composes conversations with their locks, shared links and exports. */
export function composeConversations(deps: Options) {
  const conversations = makeConversations({
    ...deps,
    listSources: {
      agents: findAgentFaces,
      waiting: countOpenRequests,
      rated: ratedConversations,
      about: conversationsAbout,
    },
  });
  const present = makeConversationPresenter(deps.settingsText);
  const links = makeConversationLinks({ ...deps, conversations });
  const locking = makeConversationLocking(conversations);
  const exportConversation = makeConversationExport({ ...deps, conversations, present });
  const shares = makeConversationShares({ ...deps, conversations });
  return {
    conversations,
    shares,
    present,
    links,
    exportConversation,
    routes: [
      ...conversationRoutes(conversations, present),
      ...branchRoutes(makeBranches({ db: deps.db }), conversations, present),
      ...bulkRoutes(makeManyConversations({ db: deps.db, exportConversation })),
      ...copyRoutes(makeCopyConversation({ ...deps, copyFileLinks }), makeContinueConversation(deps), present),
      ...markRoutes(makeMarks({ db: deps.db, conversations })),
      ...shareRoutes(shares, deps.audience),
      ...conversationAccessRoutes({ locking, links, exportConversation, present }),
    ],
  };
}
