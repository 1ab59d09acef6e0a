/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const approvalsRoutes = {
  'approvals.list': 'GET /v1/approvals',
  'approvals.listOfConversation': 'GET /v1/conversations/{conversation_id}/approvals',
  'approvals.decide': 'POST /v1/conversations/{conversation_id}/approvals/{approval_id}',
  'approvals.endScope': 'POST /v1/conversations/{conversation_id}/approvals/{approval_id}/end',
  'approvals.listOfRun': 'GET /v1/runs/{run_id}/approvals',
  'approvals.decideOfRun': 'POST /v1/runs/{run_id}/approvals/{approval_id}',
} as const;
