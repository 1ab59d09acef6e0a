/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const exchangeRoutes = {
  'tables.createFromFile': 'POST /v1/tables/import',
  'tables.import': 'POST /v1/tables/{table_id}/import',
  'tables.export': 'GET /v1/tables/{table_id}/export',
} as const;
