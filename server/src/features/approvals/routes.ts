import { handle, type Route } from '../../lib/route.ts';
import { listApprovals } from './operations.ts';
import type { Inbox } from './service.ts';

export const inboxRoutes = (inbox: Inbox): Route[] => [
  handle(listApprovals, (scope, { query }) => inbox.list(scope, query)),
];
