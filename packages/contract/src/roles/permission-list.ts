import * as z from 'zod';
import {
  allows,
  allPermissions,
  organizationPermissions,
  type Permission,
  permissionDetails,
  workspacePermissions,
} from '../permissions.ts';
import { roleScopes } from './schema.ts';

export const permissionEntry = z
  .strictObject({
    id: z.enum(allPermissions).describe('The name of the permission in keys, roles and errors.'),
    label: z.string().describe('A short name for people.'),
    help: z.string().describe('What a caller with the permission can do.'),
    scope: z.enum(roleScopes).describe('Whether it acts inside a workspace or on the whole organization.'),
    section: z.string().describe('The heading that editors show it under.'),
    includes: z.array(z.enum(allPermissions)).describe('The other permissions that a caller with this one also holds.'),
  })
  .meta({ id: 'Permission' });

export type PermissionEntry = z.output<typeof permissionEntry>;

/** The headings of the permissions, by the first word of their names. */
const workspaceSections: Readonly<Record<string, string>> = {
  flows: 'Workflows',
  agents: 'Agents',
  kbs: 'Knowledge bases',
  tables: 'Tables',
  variables: 'Variables',
  sandboxes: 'Sandboxes',
  files: 'Files',
  conversations: 'Conversations',
  runs: 'Runs',
  insights: 'Insights',
  safety: 'Safety',
  integrations: 'Integrations',
  users: 'Members',
  workspace: 'Administration',
};
const organizationSections: Readonly<Record<string, string>> = {
  org: 'Administration',
  settings: 'Models',
  users: 'People',
  workspace: 'Workspaces',
  audit: 'Audit',
};

const describePermission =
  (scope: PermissionEntry['scope'], sections: Readonly<Record<string, string>>) =>
  (id: Permission): PermissionEntry => ({
    ...{ id, ...permissionDetails[id], scope, section: sections[id.split(/[_:]/)[0] as string] as string },
    includes: allPermissions.filter((other) => other !== id && allows(new Set([id]), other)),
  });

/** Every permission there is, those of a workspace first. */
export const permissionList: readonly PermissionEntry[] = [
  ...workspacePermissions.map(describePermission('workspace', workspaceSections)),
  ...organizationPermissions.map(describePermission('organization', organizationSections)),
];
