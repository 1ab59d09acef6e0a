/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const peopleRoutes = {
  'people.list': 'GET /v1/admin/users',
  'people.get': 'GET /v1/admin/users/{person_id}',
  'people.update': 'PATCH /v1/admin/users/{person_id}',
  'people.updateOwn': 'PATCH /v1/auth/account',
  'people.makeResetLink': 'POST /v1/admin/users/{person_id}/password-reset',
  'members.list': 'GET /v1/admin/groups/{group_id}/members',
  'members.set': 'PUT /v1/admin/groups/{group_id}/members/{person_id}',
  'members.remove': 'DELETE /v1/admin/groups/{group_id}/members/{person_id}',
  'invitations.list': 'GET /v1/admin/groups/{group_id}/invitations',
  'invitations.create': 'POST /v1/admin/groups/{group_id}/invitations',
  'invitations.revoke': 'DELETE /v1/admin/groups/{group_id}/invitations/{invitation_id}',
} as const;
