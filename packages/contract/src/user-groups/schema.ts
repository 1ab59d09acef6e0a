import * as z from 'zod';
import { createdAt, etag, updatedAt } from '../fields.ts';
import { namedList } from '../list-query.ts';
import { pageFields } from '../page.ts';
import { memberSet } from '../people/schema.ts';
import { allPermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';

const memberCount = z.int().describe('How many people are in the group, active or not.');

export const userGroup = z
  .strictObject({
    id: z.guid().describe('The id of the user group.'),
    name: z.string().describe('The name of the group; unique in the organization.'),
    member_count: memberCount,
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'UserGroup' });

export const userGroupsQuery = s.query({
  ...namedList(['name', 'created_at', 'updated_at'], { order: 'by name' }),
});

const name = s.str({ min: 1, max: 200 });
export const userGroupCreate = s
  .object({ name: name.describe('The name of the group; unique in the organization.') })
  .meta({ id: 'UserGroupCreate' });
export const userGroupPatch = s
  .object({ name: s.optional(name).describe('The name of the group; unique in the organization.') })
  .meta({ id: 'UserGroupPatch' });

const user_group_id = s.uuid('user_group').describe('The id of the user group.');
const group_id = s.uuid('workspace').describe('The id of the workspace.');
export const userGroupParams = s.object({ user_group_id });
export const userGroupMemberParams = s.object({
  user_group_id,
  person_id: s.uuid('person').describe('The id of the person.'),
});
export const membersQuery = s.query(pageFields);

export const userGroupMember = z
  .strictObject({
    person_id: z.guid().describe('The id of the person.'),
    name: z.string().describe('The name of the person.'),
    email: z.string().describe('The mail address of the person.'),
    active: z.boolean().describe('Whether the person may sign in.'),
    created_at: createdAt.describe('When the person was put into the group.'),
  })
  .meta({ id: 'UserGroupMember' });

export const memberGroup = z
  .strictObject({
    user_group_id: z.guid().describe('The id of the user group.'),
    name: z.string().describe('The name of the user group.'),
    member_count: memberCount,
    role_id: z.guid().describe('The role that the people of the group have in this workspace.'),
    role_name: z.string().describe('The name of that role.'),
    permissions: z.array(z.enum(allPermissions)).describe('What the role lets the people of the group do here.'),
    created_at: createdAt,
    etag,
  })
  .meta({ id: 'MemberGroup' });

export const memberGroupsParams = s.object({ group_id });
export const memberGroupParams = s.object({ group_id, user_group_id });
export const memberGroupSet = memberSet;

export type UserGroup = z.output<typeof userGroup>;
export type UserGroupsQuery = z.output<typeof userGroupsQuery>;
export type UserGroupPatch = z.output<typeof userGroupPatch>;
export type UserGroupMember = z.output<typeof userGroupMember>;
export type MembersQuery = z.output<typeof membersQuery>;
export type MemberGroup = z.output<typeof memberGroup>;
