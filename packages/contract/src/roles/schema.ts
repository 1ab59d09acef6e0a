import * as z from 'zod';
import { createdAt, etag, updatedAt } from '../fields.ts';
import { objectOf } from '../keys-of.ts';
import { mayField } from '../may.ts';
import { organizationPermissions, type Permission, permissionDetails, workspacePermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';

export const roleScopes = ['organization', 'workspace'] as const;

export const role = z
  .strictObject({
    id: z.guid().describe('The id of the role.'),
    name: z.string().describe('The name of the role.'),
    description: z.string().describe('What the role is for; may be empty.'),
    scope: z.enum(roleScopes).describe('Whether the role acts inside a workspace or on the whole organization.'),
    group_id: z.guid().nullable().describe('The only workspace that has the role. Null: every workspace has it.'),
    permissions: z
      .record(z.string(), z.boolean())
      .describe("Every permission of the role's scope, and whether the role holds it."),
    is_default: z.boolean().describe('Whether the role came with Atrium; such a role cannot be changed or deleted.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
    may: mayField('role'),
  })
  .meta({ id: 'Role' });

export const permissionsOf: Record<Role['scope'], readonly Permission[]> = {
  organization: organizationPermissions,
  workspace: workspacePermissions,
};

const flags = s.sparse(
  objectOf([...workspacePermissions, ...organizationPermissions], (name) =>
    s.bool().describe(permissionDetails[name].help),
  ),
);

const name = s.str({ min: 1, max: 100 });
const description = s.str({ max: 2000 });

export const roleCreate = s
  .object({
    name: name.describe('The name of the role; unique in the tenant, or in its workspace.'),
    description: s.withDefault(description, '').describe('What the role is for.'),
    scope: s
      .withDefault(s.oneOf(roleScopes), 'workspace')
      .describe('Whether the role acts inside a workspace or on the whole organization.'),
    group_id: s
      .optional(s.uuid('workspace'))
      .describe('The only workspace to have the role; every workspace unless given. Not for organization roles.'),
    permissions: s
      .withDefault(flags, () => ({}))
      .describe('The permissions of the scope that the role holds; those left out are not held.'),
  })
  .meta({ id: 'RoleCreate' });

export const rolePatch = s
  .object({
    name: s.optional(name).describe('The name of the role.'),
    description: s.optional(description).describe('What the role is for.'),
    permissions: s.optional(flags).describe('The permissions to change; those left out stay as they are.'),
  })
  .meta({ id: 'RolePatch' });

export const roleParams = s.object({ role_id: s.uuid('role').describe('The id of the role.') });

export type Role = z.output<typeof role>;
export type RoleCreate = z.output<typeof roleCreate>;
export type RolePatch = z.output<typeof rolePatch>;
export type PermissionFlags = z.output<typeof flags>;
