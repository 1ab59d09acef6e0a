/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const budgetsRoutes = {
  'budgets.list': 'GET /v1/admin/budgets',
  'budgets.create': 'POST /v1/admin/budgets',
  'budgets.get': 'GET /v1/admin/budgets/{budget_id}',
  'budgets.update': 'PATCH /v1/admin/budgets/{budget_id}',
  'budgets.delete': 'DELETE /v1/admin/budgets/{budget_id}',
} as const;
