import { defineRoute, type Route } from '../../lib/route.ts';
import { inboxPage, inboxQuery } from './schema.ts';
import type { Inbox } from './service.ts';

export const inboxRoutes = (inbox: Inbox): Route[] => [
  defineRoute({
    route: 'GET /v1/approvals',
    summary: 'List what people are asked in the workspace, by conversations and workflows, the latest first',
    tag: 'Approvals',
    // Which one it takes depends on the kind: the inbox asks for it.
    permission: 'any',
    query: inboxQuery,
    answer: inboxPage,
    handler: (scope, { query }) => inbox.list(scope, query),
  }),
];
