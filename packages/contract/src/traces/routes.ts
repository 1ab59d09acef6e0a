/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const tracesRoutes = {
  'runs.getTrace': 'GET /v1/runs/{run_id}/trace',
} as const;
