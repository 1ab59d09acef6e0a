import type { InboxItem, InboxQuery, InboxStatus } from '@atrium/contract/approvals/schema.ts';
import { forbidden } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Scope } from '../../lib/scope.ts';

/** The newest that runs of one kind have asked, as far as asked for, and how many there are in all. */
export type ListRequests = (
  scope: Scope,
  window: { size: number; offset: number; status: InboxStatus },
) => Promise<{ items: InboxItem[]; total: number }>;

export type Inbox = ReturnType<typeof makeInbox>;

/** What people are asked in a workspace. Whoever may run only one kind sees what that kind asks. */
export function makeInbox(kinds: { conversations: ListRequests; workflows: ListRequests }) {
  return {
    /** Ids rise with time, so the newest of both kinds are among the newest of each. */
    async list(scope: Scope, query: InboxQuery): Promise<Paged<InboxItem>> {
      const talks = allows(scope.permissions, 'agents_run');
      const flows = allows(scope.permissions, 'flows_run');
      if (!talks && !flows) throw forbidden('This key lacks the permission agents_run');
      const window = pageOf(query);
      const reach = { size: window.offset + window.size, offset: 0, status: query.status };
      const none = { items: [], total: 0 };
      const [one, other] = await Promise.all([
        talks && query.kind !== 'workflow' ? kinds.conversations(scope, reach) : none,
        flows && query.kind !== 'conversation' ? kinds.workflows(scope, reach) : none,
      ]);
      const all = [...one.items, ...other.items].sort((a, b) => (a.id < b.id ? 1 : -1));
      return pageAnswer(all.slice(window.offset, reach.size), one.total + other.total, window);
    },
  };
}
