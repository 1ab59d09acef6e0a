/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const userGroupRoutes = {
  'userGroups.list': 'GET /v1/admin/user-groups',
  'userGroups.create': 'POST /v1/admin/user-groups',
  'userGroups.get': 'GET /v1/admin/user-groups/{user_group_id}',
  'userGroups.update': 'PATCH /v1/admin/user-groups/{user_group_id}',
  'userGroups.delete': 'DELETE /v1/admin/user-groups/{user_group_id}',
  'userGroups.listMembers': 'GET /v1/admin/user-groups/{user_group_id}/members',
  'userGroups.addMember': 'PUT /v1/admin/user-groups/{user_group_id}/members/{person_id}',
  'userGroups.removeMember': 'DELETE /v1/admin/user-groups/{user_group_id}/members/{person_id}',
  'memberGroups.list': 'GET /v1/admin/groups/{group_id}/member-groups',
  'memberGroups.set': 'PUT /v1/admin/groups/{group_id}/member-groups/{user_group_id}',
  'memberGroups.remove': 'DELETE /v1/admin/groups/{group_id}/member-groups/{user_group_id}',
} as const;
