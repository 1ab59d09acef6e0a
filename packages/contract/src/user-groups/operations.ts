import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { paged, success, summaryOf } from '../page.ts';
import { userGroupRoutes as routes } from './routes.ts';
import {
  memberGroup,
  memberGroupParams,
  memberGroupSet,
  memberGroupsParams,
  membersQuery,
  userGroup,
  userGroupCreate,
  userGroupMember,
  userGroupMemberParams,
  userGroupParams,
  userGroupPatch,
  userGroupsQuery,
} from './schema.ts';

const tag = 'User groups';
const permission = 'org:admin';
/** Administrators of a workspace see the groups that are members of it. */
const readers = ['org:admin', 'workspace_admin'] as const;
const whoReads =
  'An administrator of the organization sees all groups, an administrator of a workspace those that are members of that workspace.';
const ends =
  'Sessions of people whose permissions this changes end, and open invitations of their addresses to those workspaces are revoked.';
const nameTaken = conflicts('name_taken', 'There is a user group with this name.');

export const listUserGroups = operation({
  id: 'userGroups.list',
  route: routes['userGroups.list'],
  summary: 'List groups of people',
  description: `Returns user groups by name. ${whoReads}`,
  tag,
  permission: readers,
  query: userGroupsQuery,
  answer: paged(userGroup, summaryOf(userGroup, ['id', 'name', 'member_count', 'created_at', 'updated_at'])),
});

export const createUserGroup = operation({
  id: 'userGroups.create',
  route: routes['userGroups.create'],
  summary: 'Create a group of people',
  description:
    'Creates an empty group. Its people get permissions when the group becomes a member of a workspace with a role.',
  tag,
  permission,
  body: userGroupCreate,
  example: { name: 'Support' },
  errors: [nameTaken],
  answer: userGroup,
});

export const getUserGroup = operation({
  id: 'userGroups.get',
  route: routes['userGroups.get'],
  summary: 'Get a group of people',
  description: `Returns one user group. ${whoReads}`,
  tag,
  permission: readers,
  params: userGroupParams,
  errors: [noSuch('user group')],
  answer: userGroup,
});

export const updateUserGroup = operation({
  id: 'userGroups.update',
  route: routes['userGroups.update'],
  summary: 'Rename a group of people',
  description: 'Changes the name of the group. Permissions stay as they are.',
  tag,
  permission,
  params: userGroupParams,
  body: userGroupPatch,
  example: { name: 'First line support' },
  errors: [noSuch('user group'), nameTaken],
  answer: userGroup,
});

export const deleteUserGroup = operation({
  id: 'userGroups.delete',
  route: routes['userGroups.delete'],
  summary: 'Delete a group of people',
  description: `Deletes the group and takes what its people had by it. The accounts stay. ${ends}`,
  tag,
  permission,
  params: userGroupParams,
  errors: [noSuch('user group')],
  answer: success,
});

export const listUserGroupMembers = operation({
  id: 'userGroups.listMembers',
  route: routes['userGroups.listMembers'],
  summary: 'List the people of a group',
  description: `Returns the people of the group by name. ${whoReads}`,
  tag,
  permission: readers,
  params: userGroupParams,
  query: membersQuery,
  errors: [noSuch('user group')],
  answer: paged(userGroupMember, summaryOf(userGroupMember, ['person_id', 'name', 'email', 'active', 'created_at'])),
});

export const addUserGroupMember = operation({
  id: 'userGroups.addMember',
  route: routes['userGroups.addMember'],
  summary: 'Put a person into a group',
  description: `Gives the person what the group has in every workspace, beside what they hold already. This gives roles away, so it needs an administrator of the organization. ${ends}`,
  tag,
  permission,
  params: userGroupMemberParams,
  errors: [noSuch('user group or person')],
  answer: userGroupMember,
});

export const removeUserGroupMember = operation({
  id: 'userGroups.removeMember',
  route: routes['userGroups.removeMember'],
  summary: 'Take a person out of a group',
  description: `Takes what the person had by the group alone. ${ends}`,
  tag,
  permission,
  params: userGroupMemberParams,
  errors: [noSuch('user group or member of it')],
  answer: success,
});

export const listMemberGroups = operation({
  id: 'memberGroups.list',
  route: routes['memberGroups.list'],
  summary: 'List the user groups of a workspace',
  description:
    'Returns the user groups that are members of the workspace, with their roles, in one list without pages.',
  tag,
  permission: 'workspace_admin',
  params: memberGroupsParams,
  answer: z.array(memberGroup),
});

export const setMemberGroup = operation({
  id: 'memberGroups.set',
  route: routes['memberGroups.set'],
  summary: 'Add a user group to a workspace, or change its role',
  description: `Gives everybody in the group this role in the workspace, beside what they hold already, in place of an earlier role of the group. Adding a group that is not a member yet needs an administrator of the organization. A caller can give only a role whose permissions it holds itself, and can change no group that holds more. With \`If-Match\` the request fails with 409 when the role was changed since. ${ends}`,
  tag,
  permission: 'workspace_admin',
  params: memberGroupParams,
  body: memberGroupSet,
  versioned: true,
  example: { role_id: '0190a000-0000-7000-8000-000000000001' },
  errors: [noSuch('workspace, user group or role')],
  answer: memberGroup,
});

export const removeMemberGroup = operation({
  id: 'memberGroups.remove',
  route: routes['memberGroups.remove'],
  summary: 'Remove a user group from a workspace',
  description: `Takes what the people of the group had in the workspace by it. Roles of their own stay. ${ends}`,
  tag,
  permission: 'workspace_admin',
  params: memberGroupParams,
  errors: [noSuch('workspace or user group')],
  answer: success,
});

export const userGroupOperations = [
  ...[listUserGroups, createUserGroup, getUserGroup, updateUserGroup, deleteUserGroup],
  ...[listUserGroupMembers, addUserGroupMember, removeUserGroupMember],
  ...[listMemberGroups, setMemberGroup, removeMemberGroup],
];
