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
  'files_read_all',
  'conversations_read',
  'conversations_edit',
  'runs_read_all',
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

/** A permission as role and key editors show it. */
export interface PermissionDetails {
  /** Short, sentence case. */
  label: string;
  /** What a caller with it can do. */
  help: string;
}

const reserved = 'No operation needs it today.';

export const permissionDetails: Readonly<Record<Permission, PermissionDetails>> = {
  flows_edit: {
    label: 'Edit workflows',
    help: 'Create and change workflows, their versions and their triggers.',
  },
  flows_delete: { label: 'Delete workflows', help: 'Delete and restore workflows.' },
  flows_run: {
    label: 'Run workflows',
    help: 'See workflows, start them, and see and stop the runs that the caller started.',
  },
  flows_advanced: {
    label: 'Callback secret of workflows',
    help: 'Read the secret that callbacks of the workspace are signed with.',
  },
  agents_edit: {
    label: 'Edit agents',
    help: 'Create, change, publish, import and export agents, and change any setting of a conversation.',
  },
  agents_delete: { label: 'Delete agents', help: 'Delete and restore agents.' },
  agents_run: {
    label: 'Run agents',
    help: 'See agents and talk to them, in conversations of the caller; change how these are presented or make them stricter.',
  },
  agents_advanced: { label: 'Advanced agent features', help: `Reserved for advanced features of agents. ${reserved}` },
  kbs_edit: {
    label: 'Edit knowledge bases',
    help: 'Create and change knowledge bases, add documents and web sites and train them.',
  },
  kbs_delete: { label: 'Delete knowledge bases', help: 'Delete knowledge bases and documents.' },
  kbs_query: { label: 'Search knowledge bases', help: 'See knowledge bases and their documents, and search them.' },
  kbs_advanced: {
    label: 'Evaluate and rebuild knowledge bases',
    help: 'Evaluate the search of a knowledge base and rebuild its index.',
  },
  tables_read: { label: 'Read tables', help: 'See tables, read and query their rows.' },
  tables_edit: {
    label: 'Edit tables',
    help: 'Create and restore tables, change their columns, and write or delete rows.',
  },
  tables_delete: { label: 'Delete tables', help: 'Delete tables and drop their columns.' },
  variables_read: {
    label: 'Use variables',
    help: 'See variables and vaults, and give variables and secrets to agents. Values of secrets are never shown.',
  },
  variables_edit: { label: 'Edit variables', help: 'Create, change and delete variables, secrets and vaults.' },
  sandboxes_run: { label: 'Run code', help: 'Run code and commands in sandboxes, and give agents tools that do.' },
  files_read: {
    label: 'Read files',
    help: 'See and download own files, and those of agents, workflows, knowledge bases and conversations that it sees.',
  },
  files_edit: { label: 'Edit files', help: 'Upload files, and delete those that the caller may see.' },
  files_read_all: {
    label: "Read everybody's files",
    help: 'See, download and, with files_edit, delete the files of every person, also those of private conversations.',
  },
  conversations_read: {
    label: 'Inspect conversations',
    help: 'Read the conversations of everybody with traces, feedback, violations and tables, and answer in place of an agent.',
  },
  conversations_edit: {
    label: "Change everybody's conversations",
    help: 'With conversations_read: write in, change and delete conversations that other people or keys began.',
  },
  runs_read_all: {
    label: "Read everybody's runs",
    help: 'See and stop the runs of every person and key, with their inputs, outputs and traces.',
  },
  insights_read: { label: 'Read insights', help: 'Read usage figures, insights and evaluations of the workspace.' },
  safety_check: { label: 'Try safety checks', help: 'Run guardrails and the search for personal data on a text.' },
  integrations_edit: {
    label: 'Edit integrations',
    help: 'Create and change webhooks, MCP servers and their logins, and use servers with a stored login.',
  },
  users_edit: { label: 'Edit members', help: `Reserved for members of the workspace. ${reserved}` },
  users_delete: { label: 'Remove members', help: `Reserved for members of the workspace. ${reserved}` },
  workspace_admin: {
    label: 'Administer the workspace',
    help: 'Everything in the workspace: all of its other permissions, and its API keys.',
  },
  'org:admin': {
    label: 'Administer the organization',
    help: 'Everything in all workspaces: all other permissions, roles, locks of settings and locked conversations.',
  },
  org_read: { label: 'Read the organization', help: `Reserved for members of the organization. ${reserved}` },
  settings_read: {
    label: 'Read model settings',
    help: 'See the providers of models and the presets. Keys are masked.',
  },
  settings_write: {
    label: 'Edit model settings',
    help: 'Create, change, test and delete providers of models and presets.',
  },
  users_read: { label: 'Read users', help: `Reserved for users of the organization. ${reserved}` },
  users_write: { label: 'Edit users', help: `Reserved for users of the organization. ${reserved}` },
  workspace_read: { label: 'Read workspaces', help: 'See the workspaces of the organization.' },
  workspace_write: { label: 'Edit workspaces', help: 'Create, rename and delete workspaces with everything in them.' },
  audit_read: {
    label: 'Read the audit log',
    help: 'Read the audit log of the workspace, and the log of tool calls with their approvals.',
  },
};

const ofWorkspace = new Set<Permission>(workspacePermissions);

/** org:admin may do everything, workspace_admin everything inside a workspace. */
export function allows(held: ReadonlySet<Permission>, needed: Permission): boolean {
  return held.has(needed) || held.has('org:admin') || (ofWorkspace.has(needed) && held.has('workspace_admin'));
}

/** The permissions of which each allows this one. */
export const permissionsGranting = (needed: Permission): Permission[] => [
  needed,
  'org:admin',
  ...(ofWorkspace.has(needed) ? (['workspace_admin'] as const) : []),
];
