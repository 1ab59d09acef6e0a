/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const queryRoutes = {
  'tables.query': 'POST /v1/tables/query',
} as const;
