/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const approvalsRoutes = {
  'approvals.list': 'GET /v1/approvals',
} as const;
