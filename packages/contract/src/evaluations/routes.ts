/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const evaluationsRoutes = {
  'evaluations.create': 'POST /v1/evaluations',
  'evaluations.list': 'GET /v1/evaluations',
  'evaluations.get': 'GET /v1/evaluations/{evaluation_id}',
  'evaluations.update': 'PATCH /v1/evaluations/{evaluation_id}',
  'evaluations.delete': 'DELETE /v1/evaluations/{evaluation_id}',
  'evaluationRuns.start': 'POST /v1/evaluations/{evaluation_id}/runs',
  'evaluationRuns.list': 'GET /v1/evaluations/{evaluation_id}/runs',
  'evaluationRuns.get': 'GET /v1/evaluations/{evaluation_id}/runs/{evaluation_run_id}',
  'evaluations.report': 'GET /v1/evaluations/{evaluation_id}/report',
} as const;
