import type { InboxItem, InboxQuery, InboxStatus } from '@atrium/contract/approvals/inbox-schema.ts';
import { forbidden } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { lacksPermission, type Scope } from '../../lib/scope.ts';

/** Lists the newest requests of one kind of run, and counts all of them. */
export type ListRequests = (
  scope: Scope,
  window: { size: number; offset: number; status: InboxStatus },
) => Promise<{ items: InboxItem[]; total: number }>;

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
    const reach = { size: window.offset + window.size, offset: 0, status: query.status };
    const none = { items: [], total: 0 };
    const isWanted = (kind: InboxQuery['kind']) => query.kind === undefined || query.kind === kind;
    const lists = await Promise.all([
      mayRunAgents && isWanted('conversation') ? kinds.conversations(scope, reach) : none,
      mayRunWorkflows && isWanted('workflow') ? kinds.workflows(scope, reach) : none,
      isWanted('agent') ? kinds.unlocks(scope, reach) : none,
    ]);
    const items = lists.flatMap((list) => list.items).sort((a, b) => (a.id < b.id ? 1 : -1));
    const total = lists.reduce((sum, list) => sum + list.total, 0);
    return pageAnswer(items.slice(window.offset, reach.size), total, window);
  },
});
