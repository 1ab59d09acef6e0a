/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const safetyRoutes = {
  'safety.findPersonalData': 'POST /v1/safety/pii',
  'safety.check': 'POST /v1/safety/check',
  'safety.listAllViolations': 'GET /v1/violations',
  'safety.listViolations': 'GET /v1/conversations/{conversation_id}/violations',
} as const;
