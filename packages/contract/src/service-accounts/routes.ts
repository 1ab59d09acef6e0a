/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const serviceAccountsRoutes = {
  'serviceAccounts.list': 'GET /v1/admin/groups/{group_id}/service-accounts',
  'serviceAccounts.create': 'POST /v1/admin/groups/{group_id}/service-accounts',
  'serviceAccounts.update': 'PATCH /v1/admin/groups/{group_id}/service-accounts/{service_account_id}',
  'serviceAccounts.delete': 'DELETE /v1/admin/groups/{group_id}/service-accounts/{service_account_id}',
} as const;
