/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const auditRoutes = {
  'audit.list': 'GET /v1/admin/audit',
  'audit.export': 'GET /v1/admin/audit/export',
  'audit.verify': 'GET /v1/admin/audit/verify',
} as const;
