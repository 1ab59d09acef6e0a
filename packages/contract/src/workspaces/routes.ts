/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const workspacesRoutes = {
  'workspaces.list': 'GET /v1/admin/groups',
  'workspaces.create': 'POST /v1/admin/groups',
  'workspaces.get': 'GET /v1/admin/groups/{group_id}',
  'workspaces.update': 'PATCH /v1/admin/groups/{group_id}',
  'workspaces.getLimits': 'GET /v1/admin/groups/{group_id}/limits',
  'workspaces.delete': 'DELETE /v1/admin/groups/{group_id}',
} as const;
