import {
  decideApproval,
  decideRunApproval,
  endApprovalScope,
  listApprovals,
  listConversationApprovals,
  listRunApprovals,
} from '@atrium/contract/approvals/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { ApprovalInbox } from './inbox.ts';
import type { WorkflowApprovals } from './ports.ts';
import type { Approvals } from './service.ts';

/** The tool calls of agent runs that wait for approval. */
export const approvalRoutes = (approvals: Approvals): Route[] => [
  handle(listConversationApprovals, (scope, { params, query }) => approvals.list(scope, params.conversation_id, query)),
  handle(decideApproval, (scope, { params, body }) =>
    approvals.decide(scope, params.conversation_id, params.approval_id, body),
  ),
  handle(endApprovalScope, (scope, { params }) =>
    approvals.endScope(scope, params.conversation_id, params.approval_id),
  ),
];

/** The steps of workflow runs that wait for approval. */
export const workflowApprovalRoutes = (approvals: WorkflowApprovals): Route[] => [
  handle(listRunApprovals, (scope, { params }) => approvals.list(scope, params.run_id)),
  handle(decideRunApproval, (scope, { params, body }) =>
    approvals.decide(scope, params.run_id, params.approval_id, body),
  ),
];

export const inboxRoutes = (inbox: ApprovalInbox): Route[] => [
  handle(listApprovals, (scope, { query }) => inbox.list(scope, query)),
];
