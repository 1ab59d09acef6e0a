/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const formFieldsRoutes = {
  'fields.get': 'GET /v1/fields/{kind}',
} as const;
