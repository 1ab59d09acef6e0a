/** What a key or a role may hold. A workspace permission acts inside one workspace, an organization one on the tenant. */
export const workspacePermissions = [
  'flows_edit',
  'flows_delete',
  'flows_run',
  'flows_advanced',
  'agents_edit',
  'agents_delete',
  'agents_run',
  'agents_advanced',
  'kbs_edit',
  'kbs_delete',
  'kbs_query',
  'kbs_advanced',
  'tables_read',
  'tables_edit',
  'tables_delete',
  'variables_read',
  'variables_edit',
  'sandboxes_run',
  'files_read',
  'files_edit',
  'conversations_read',
  'insights_read',
  'safety_check',
  'integrations_edit',
  'users_edit',
  'users_delete',
  'workspace_admin',
] as const;

export const organizationPermissions = [
  'org:admin',
  'org_read',
  'settings_read',
  'settings_write',
  'users_read',
  'users_write',
  'workspace_read',
  'workspace_write',
  'audit_read',
] as const;

export type WorkspacePermission = (typeof workspacePermissions)[number];
export type OrganizationPermission = (typeof organizationPermissions)[number];
export type Permission = WorkspacePermission | OrganizationPermission;

export const allPermissions: readonly Permission[] = [...workspacePermissions, ...organizationPermissions];

const ofWorkspace = new Set<Permission>(workspacePermissions);

/** org:admin may do everything, workspace_admin everything inside a workspace. */
export function allows(held: ReadonlySet<Permission>, needed: Permission): boolean {
  return held.has(needed) || held.has('org:admin') || (ofWorkspace.has(needed) && held.has('workspace_admin'));
}
