/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const searchRoutes = {
  'search.find': 'GET /v1/search',
} as const;
