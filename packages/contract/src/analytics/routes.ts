/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const analyticsRoutes = {
  'analytics.overview': 'GET /v1/analytics',
  'analytics.get': 'GET /v1/analytics/{metric}',
} as const;
