import { done } from '@atrium/contract/page.ts';
import {
  addUserGroupMember,
  createUserGroup,
  deleteUserGroup,
  getUserGroup,
  listMemberGroups,
  listUserGroupMembers,
  listUserGroups,
  removeMemberGroup,
  removeUserGroupMember,
  setMemberGroup,
  updateUserGroup,
} from '@atrium/contract/user-groups/operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { UserGroups } from './user-groups.ts';

export const userGroupRoutes = (groups: UserGroups): Route[] => [
  handle(listUserGroups, (scope, { query }) => groups.list(scope, query)),
  handle(createUserGroup, (scope, { body }) => groups.create(scope, body.name)),
  handle(getUserGroup, (scope, { params }) => groups.get(scope, params.user_group_id)),
  handle(updateUserGroup, (scope, { params, body }) => groups.update(scope, params.user_group_id, body)),
  handle(deleteUserGroup, async (scope, { params }) => {
    await groups.remove(scope, params.user_group_id);
    return done;
  }),
  handle(listUserGroupMembers, (scope, { params, query }) => groups.members(scope, params.user_group_id, query)),
  handle(addUserGroupMember, (scope, { params }) => groups.addMember(scope, params.user_group_id, params.person_id)),
  handle(removeUserGroupMember, async (scope, { params }) => {
    await groups.removeMember(scope, params.user_group_id, params.person_id);
    return done;
  }),
  handle(listMemberGroups, (scope, { params }) => groups.memberGroups(scope, params.group_id)),
  handle(setMemberGroup, (scope, { params, body }) =>
    groups.setMemberGroup(scope, params.group_id, params.user_group_id, body.role_id),
  ),
  handle(removeMemberGroup, async (scope, { params }) => {
    await groups.removeMemberGroup(scope, params.group_id, params.user_group_id);
    return done;
  }),
];
