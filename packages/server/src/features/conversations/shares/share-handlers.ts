import { listAudience, listShares, shareWith, unshareWith } from '@atrium/contract/conversations/share-operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { WorkspaceAudience } from '../ports.ts';
import type { ConversationShares } from './shares.ts';

export const shareRoutes = (shares: ConversationShares, audience: WorkspaceAudience): Route[] => [
  handle(listAudience, async (scope, { query }) => ({ items: await audience.list(scope, query) })),
  handle(listShares, (scope, { params }) => shares.list(scope, params.conversation_id)),
  handle(shareWith, (scope, { params, body }) => shares.add(scope, params.conversation_id, body)),
  handle(unshareWith, async (scope, { params }) => {
    await shares.remove(scope, params.conversation_id, params.share_id);
    return done;
  }),
];
