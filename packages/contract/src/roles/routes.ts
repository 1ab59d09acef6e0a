/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const rolesRoutes = {
  'permissions.list': 'GET /v1/admin/permissions',
  'roles.list': 'GET /v1/admin/roles',
  'roles.create': 'POST /v1/admin/roles',
  'roles.get': 'GET /v1/admin/roles/{role_id}',
  'roles.update': 'PATCH /v1/admin/roles/{role_id}',
  'roles.delete': 'DELETE /v1/admin/roles/{role_id}',
} as const;
