import { listApprovals } from '@atrium/contract/approvals/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Inbox } from './inbox.ts';

export const inboxRoutes = (inbox: Inbox): Route[] => [
  handle(listApprovals, (scope, { query }) => inbox.list(scope, query)),
];
