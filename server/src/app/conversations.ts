import type { Bell } from '../db/bell.ts';
import { conversationDoorRoutes } from '../features/conversations/door-routes.ts';
import { makeConversationExport } from '../features/conversations/export.ts';
import { makeConversationLinks } from '../features/conversations/links.ts';
import { makeConversationLocking } from '../features/conversations/locking.ts';
import { makeConversationPresenter } from '../features/conversations/present.ts';
import { conversationRoutes } from '../features/conversations/routes.ts';
import { type ConversationsOptions, makeConversations } from '../features/conversations/service.ts';
import type { SettingsTexts } from '../features/settings/settings-text.ts';

type Deployed = Parameters<typeof makeConversationLinks>[0]['deployed'];

/** Conversations, and who gets in: by a key, by a link, not while locked. */
export function makeConversing(
  deps: ConversationsOptions & { bell: Bell; settingsText: SettingsTexts; deployed: Deployed },
) {
  const conversations = makeConversations(deps);
  const present = makeConversationPresenter(deps.settingsText);
  const links = makeConversationLinks({ ...deps, conversations });
  const locking = makeConversationLocking(conversations);
  const exporting = makeConversationExport({ db: deps.db, conversations, present });
  return {
    conversations,
    present,
    links,
    routes: [
      ...conversationRoutes(conversations, present),
      ...conversationDoorRoutes({ locking, links, exporting, present }),
    ],
  };
}
