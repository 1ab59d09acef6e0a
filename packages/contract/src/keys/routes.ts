/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const keysRoutes = {
  'keys.getOwn': 'GET /v1/admin/me',
  'keys.list': 'GET /v1/admin/groups/{group_id}/api-keys',
  'keys.listAll': 'GET /v1/admin/api-keys',
  'keys.create': 'POST /v1/admin/groups/{group_id}/api-keys',
  'keys.update': 'PATCH /v1/admin/groups/{group_id}/api-keys/{api_key_id}',
  'keys.revoke': 'DELETE /v1/admin/groups/{group_id}/api-keys/{api_key_id}',
  'keys.rotate': 'POST /v1/admin/groups/{group_id}/api-keys/{api_key_id}/rotate',
} as const;
