import { z } from 'zod';
import { organizationPermissions, type Permission, workspacePermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';

export const roleScopes = ['organization', 'workspace'] as const;

export const role = z
  .strictObject({
    id: z.guid(),
    name: z.string(),
    description: z.string(),
    scope: z.enum(roleScopes),
    group_id: z.guid().nullable(),
    /** Every permission of the role's scope, held or not. */
    permissions: z.record(z.string(), z.boolean()),
    is_default: z.boolean(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Role' });

export const permissionsOf: Record<Role['scope'], readonly Permission[]> = {
  organization: organizationPermissions,
  workspace: workspacePermissions,
};

const flags = s.sparse(
  Object.fromEntries([...workspacePermissions, ...organizationPermissions].map((name) => [name, s.bool()])) as Record<
    Permission,
    z.ZodType<boolean>
  >,
);

const name = s.str({ min: 1, max: 100 });
const description = s.str({ max: 2000 });

export const roleCreate = s
  .object({
    name,
    description: s.withDefault(description, ''),
    scope: s.withDefault(s.oneOf(roleScopes), 'workspace'),
    group_id: s.optional(s.uuid('workspace')),
    permissions: s.withDefault(flags, () => ({})),
  })
  .meta({ id: 'RoleCreate' });

export const rolePatch = s
  .object({ name: s.optional(name), description: s.optional(description), permissions: s.optional(flags) })
  .meta({ id: 'RolePatch' });

export const roleParams = s.object({ role_id: s.uuid('role') });

export type Role = z.output<typeof role>;
export type RoleCreate = z.output<typeof roleCreate>;
export type RolePatch = z.output<typeof rolePatch>;
export type PermissionFlags = z.output<typeof flags>;
