import type { InboxFilter, InboxItem, InboxQuery } from '@atrium/contract/approvals/inbox-schema.ts';
import { forbidden } from '@atrium/contract/errors.ts';
import { type Facets, type Paged, type PageWindow, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { addFacets } from '../../db/count-facets.ts';
import { cutPage } from '../../db/read-page.ts';
import { lacksPermission, type Scope } from '../../lib/scope.ts';

/** Lists the newest requests of one kind of run, and counts all of them. */
export type ListRequests = (
  scope: Scope,
  filter: InboxFilter,
  window: PageWindow,
) => Promise<{ items: InboxItem[]; total: number; facets?: Facets }>;

export interface ApprovalInbox {
  list(scope: Scope, query: InboxQuery): Promise<Paged<InboxItem>>;
}

/** The requests to people in a workspace. A caller that may run only one kind sees the requests of that kind. */
export const makeApprovalInbox = (kinds: {
  conversations: ListRequests;
  workflows: ListRequests;
  unlocks: ListRequests;
}): ApprovalInbox => ({
  async list(scope, query) {
    const mayRunAgents = allows(scope.permissions, 'agents_run');
    const mayRunWorkflows = allows(scope.permissions, 'flows_run');
    if (!mayRunAgents && !mayRunWorkflows) throw forbidden(lacksPermission(scope, 'agents_run'));
    const window = pageOf(query);
    // Ids rise with time, so the newest of all kinds are among the newest of each.
    const reach = { ...window, size: window.offset + window.size + 1, offset: 0 };
    const { status, conversation_id, named, created_after, created_before, updated_after } = query;
    const filter = { status, conversation_id, named, created_after, created_before, updated_after };
    const none: Awaited<ReturnType<ListRequests>> = { items: [], total: 0 };
    const isWanted = (kind: InboxQuery['kind']) =>
      (query.kind === undefined || query.kind === kind) && (conversation_id === undefined || kind === 'conversation');
    const lists = await Promise.all([
      mayRunAgents && isWanted('conversation') ? kinds.conversations(scope, filter, reach) : none,
      mayRunWorkflows && isWanted('workflow') ? kinds.workflows(scope, filter, reach) : none,
      isWanted('agent') && named === undefined ? kinds.unlocks(scope, filter, reach) : none,
    ]);
    const items = lists.flatMap((list) => list.items).sort((a, b) => (a.id < b.id ? 1 : -1));
    const total = window.total ?? lists.reduce((sum, list) => sum + list.total, 0);
    const { page, last } = cutPage(items, window);
    const facets = window.facets ? { facets: addFacets(lists.map((list) => list.facets)) } : {};
    return { ...pageAnswer(page, total, window, last), ...facets };
  },
});
