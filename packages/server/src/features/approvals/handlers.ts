import { decideApproval, listConversationApprovals } from '@atrium/contract/approvals/conversation-operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { People } from './service.ts';

/** Tool calls that wait for a person's word. */
export const approvalRoutes = (people: People): Route[] => [
  handle(listConversationApprovals, (scope, { params, query }) => people.list(scope, params.conversation_id, query)),
  handle(decideApproval, (scope, { params, body }) =>
    people.decide(scope, params.conversation_id, params.approval_id, body),
  ),
];
