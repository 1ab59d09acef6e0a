import { organizationPermissions, type Permission, workspacePermissions } from '@atrium/contract/permissions.ts';
import type { Role } from '@atrium/contract/roles/schema.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { insertRole } from './store.ts';

interface DefaultRole {
  name: string;
  description: string;
  scope: Role['scope'];
  permissions: readonly Permission[];
}

const reader: Permission[] = ['flows_run', 'agents_run', 'kbs_query', 'tables_read', 'files_read'];

const editor: Permission[] = [
  ...reader,
  'flows_edit',
  'flows_delete',
  'agents_edit',
  'agents_delete',
  'kbs_edit',
  'kbs_delete',
  'tables_edit',
  'tables_delete',
  'variables_read',
  'variables_edit',
  'sandboxes_run',
  'files_edit',
  'insights_read',
  'safety_check',
];

/** The roles every tenant has from its first day. They can't be changed; other roles can be made beside them. */
const defaultRoles: readonly DefaultRole[] = [
  {
    name: 'Org Admin',
    description: 'Everything in the organization',
    scope: 'organization',
    permissions: organizationPermissions,
  },
  { name: 'Org Base', description: 'A member of the organization', scope: 'organization', permissions: ['org_read'] },
  { name: 'Admin', description: 'Everything in a workspace', scope: 'workspace', permissions: workspacePermissions },
  { name: 'Editor', description: 'Builds and runs', scope: 'workspace', permissions: editor },
  { name: 'Reader', description: 'Runs what others built', scope: 'workspace', permissions: reader },
];

export async function insertDefaultRoles(tx: Db, tenant_id: string): Promise<void> {
  for (const { permissions, ...role } of defaultRoles)
    await insertRole(tx, tenant_id, {
      ...role,
      id: newId(),
      group_id: null,
      permissions: [...permissions],
      is_default: true,
    });
}
