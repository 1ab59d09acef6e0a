/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const variablesRoutes = {
  'variables.list': 'GET /v1/variables',
  'variables.create': 'POST /v1/variables',
  'variables.get': 'GET /v1/variables/{variable_id}',
  'variables.update': 'PATCH /v1/variables/{variable_id}',
  'variables.delete': 'DELETE /v1/variables/{variable_id}',
} as const;
