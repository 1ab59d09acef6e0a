/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const systemRoutes = {
  'system.get': 'GET /v1/admin/system',
} as const;
