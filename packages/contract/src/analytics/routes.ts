/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const analyticsRoutes = {
  'analytics.get': 'GET /v1/analytics/{metric}',
} as const;
