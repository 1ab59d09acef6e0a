/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const preferencesRoutes = {
  'preferences.get': 'GET /v1/me/preferences',
  'preferences.set': 'PUT /v1/me/preferences',
} as const;
