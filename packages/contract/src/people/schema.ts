import * as z from 'zod';
import { createdAt, etag, updatedAt } from '../fields.ts';
import { namedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { allPermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';
import { email, personName } from './fields.ts';

export const person = z
  .strictObject({
    id: z.guid().describe('The id of the person.'),
    name: z.string().describe('The name that others see.'),
    email: z.string().describe('The mail address that the person signs in with.'),
    tenant_admin: z.boolean().describe('Whether the person administers the organization and all of its workspaces.'),
    active: z.boolean().describe('Whether the person may sign in.'),
    second_factor: z.boolean().describe('Whether the person signs in with a second factor.'),
    rate_limit: z.int().nullable().describe('Requests per minute. Null: the limit of the server applies.'),
    stream_limit: z
      .int()
      .nullable()
      .describe('Event streams that the person may hold open at once. Null: the limit of the server applies.'),
    last_sign_in_at: z.iso.datetime().nullable().describe('When the person last signed in. Null: not yet.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'Person' });

export const peopleQuery = s.query({
  ...namedList(['name', 'email', 'created_at', 'updated_at'], { search: 'name or address', order: 'by name' }),
});

export const personPatch = s
  .object({
    name: s.optional(personName).describe('The name that others see.'),
    active: s.optional(s.bool()).describe('False ends all sessions of the person and refuses new ones.'),
    tenant_admin: s.optional(s.bool()).describe('Whether the person administers the organization.'),
    rate_limit: s
      .optional(s.int({ ge: 0, le: 1_000_000 }))
      .describe('Requests per minute; 0: the limit of the server applies.'),
    stream_limit: s
      .optional(s.int({ ge: 0, le: 1_000_000 }))
      .describe('Event streams open at once; 0: the limit of the server applies.'),
  })
  .meta({ id: 'PersonPatch' });

export const ownAccountPatch = s
  .object({ name: s.optional(personName).describe('The name that others see.') })
  .meta({ id: 'OwnAccountPatch' });

export const personParams = s.object({ person_id: s.uuid('person').describe('The id of the person.') });

export const member = z
  .strictObject({
    person_id: z.guid().describe('The id of the person.'),
    name: z.string().describe('The name of the person.'),
    email: z.string().describe('The mail address of the person.'),
    active: z.boolean().describe('Whether the person may sign in.'),
    tenant_admin: z.boolean().describe('Whether the person administers the whole organization.'),
    role_id: z.guid().describe('The role of the person in this workspace.'),
    role_name: z.string().describe('The name of that role.'),
    permissions: z.array(z.enum(allPermissions)).describe('What the role lets the person do here.'),
    source_provider_id: z
      .guid()
      .nullable()
      .describe('The identity provider whose claims gave the membership. Null: made by hand.'),
    created_at: createdAt,
    etag,
    may: mayField('member'),
  })
  .meta({ id: 'Member' });

const role_id = s.uuid('role');
const group_id = s.uuid('workspace').describe('The id of the workspace.');
export const workspaceParams = s.object({ group_id });
export const memberParams = s.object({ group_id, person_id: s.uuid('person').describe('The id of the person.') });
export const memberSet = s
  .object({
    role_id: role_id.describe('A workspace role of the tenant or of this workspace; the caller must hold all of it.'),
  })
  .meta({ id: 'MemberSet' });

export const invitation = z
  .strictObject({
    id: z.guid().describe('The id of the invitation.'),
    group_id: z.guid().describe('The workspace that it leads to.'),
    email: z.string().describe('The mail address that it is for.'),
    role_id: z.guid().describe('The role that the person gets.'),
    token: z
      .string()
      .nullable()
      .describe('The secret of the link, in the answer that creates the invitation; afterwards null.'),
    mailed: z
      .boolean()
      .describe('Whether a mail with the link is sent to the address. If not, the token is passed on by hand.'),
    expires_at: z.iso.datetime().describe('When the link stops working.'),
    created_at: createdAt,
  })
  .meta({ id: 'Invitation' });

export const invitationCreate = s
  .object({
    email: email.describe('The mail address of the person to invite.'),
    role_id: role_id.describe('A workspace role of the tenant or of this workspace; the caller must hold all of it.'),
    days: s.withDefault(s.int({ ge: 1, le: 90 }), 7).describe('After how many days the link stops working.'),
  })
  .meta({ id: 'InvitationCreate' });
export const invitationParams = s.object({
  group_id,
  invitation_id: s.uuid('invitation').describe('The id of the invitation.'),
});

export const resetLink = z
  .strictObject({
    token: z.string().describe('The secret to set a new password with, shown once.'),
    expires_at: z.iso.datetime().describe('When it stops working.'),
  })
  .meta({ id: 'ResetLink' });

export type Person = z.output<typeof person>;
export type PeopleQuery = z.output<typeof peopleQuery>;
export type PersonPatch = z.output<typeof personPatch>;
export type Member = z.output<typeof member>;
export type Invitation = z.output<typeof invitation>;
export type InvitationCreate = z.output<typeof invitationCreate>;
export type ResetLink = z.output<typeof resetLink>;
