/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const tracesRoutes = {
  'runs.retryModelCall': 'POST /v1/runs/{run_id}/trace/{step_id}/retry',
  'runs.getTrace': 'GET /v1/runs/{run_id}/trace',
} as const;
