/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const eventsRoutes = {
  'events.follow': 'GET /v1/events',
} as const;
