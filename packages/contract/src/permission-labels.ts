import type { Permission } from './permissions.ts';

/** What a permission is called in forms, and what its holder may do. */
export interface PermissionLabel {
  label: string;
  help: string;
}

export const permissionLabels: Readonly<Record<Permission, PermissionLabel>> = {
  flows_edit: { label: 'Edit workflows', help: 'Create and change workflows, their versions and their triggers.' },
  flows_delete: { label: 'Delete workflows', help: 'Delete and restore workflows.' },
  flows_run: { label: 'Run workflows', help: 'Read and run workflows, follow their runs and answer their approvals.' },
  flows_advanced: { label: 'Read callback secrets', help: 'Read the secret that signs the callbacks of workflows.' },
  agents_edit: { label: 'Edit agents', help: 'Create and change agents, their versions, triggers and deployments.' },
  agents_delete: { label: 'Delete agents', help: 'Delete and restore agents.' },
  agents_run: { label: 'Use agents', help: 'Read agents and hold conversations with them.' },
  agents_advanced: { label: 'Advanced agent operations', help: 'Reserved: no operation requires it yet.' },
  kbs_edit: { label: 'Edit knowledge bases', help: 'Create and change knowledge bases, their documents and websites.' },
  kbs_delete: { label: 'Delete knowledge bases', help: 'Delete knowledge bases, documents and websites.' },
  kbs_query: { label: 'Search knowledge bases', help: 'Read and search knowledge bases and their documents.' },
  kbs_advanced: {
    label: 'Maintain knowledge bases',
    help: 'Rebuild the index of a knowledge base and evaluate its search.',
  },
  tables_read: { label: 'Read tables', help: 'Read, query and export tables.' },
  tables_edit: {
    label: 'Edit tables',
    help: 'Create and change tables and columns; insert, change, delete and import rows.',
  },
  tables_delete: { label: 'Delete tables', help: 'Delete tables and columns.' },
  variables_read: {
    label: 'Read variables',
    help: 'Read variables and vault credentials, without the values of secrets.',
  },
  variables_edit: {
    label: 'Edit variables',
    help: 'Create, change and delete variables, secrets and vault credentials.',
  },
  sandboxes_run: {
    label: 'Use sandboxes',
    help: 'Create sandboxes, run commands in them and read and write their files.',
  },
  files_read: { label: 'Read files', help: 'List and download the files of the workspace.' },
  files_edit: { label: 'Edit files', help: 'Upload and delete files of the workspace.' },
  conversations_read: {
    label: 'Read all conversations',
    help: 'Read conversations of other users, their traces and feedback, and reply in them as a person.',
  },
  insights_read: { label: 'Read insights', help: 'Read analytics, insights and the results of evaluations.' },
  safety_check: { label: 'Check texts', help: 'Check texts against guardrails and find personal data in them.' },
  integrations_edit: { label: 'Edit integrations', help: 'Manage MCP servers and webhooks.' },
  users_edit: { label: 'Edit users of the workspace', help: 'Reserved: no operation requires it yet.' },
  users_delete: { label: 'Remove users of the workspace', help: 'Reserved: no operation requires it yet.' },
  workspace_admin: {
    label: 'Administer the workspace',
    help: 'Everything inside the workspace, including its API keys.',
  },
  'org:admin': { label: 'Administer the organization', help: 'Everything in every workspace, including roles.' },
  org_read: { label: 'Read the organization', help: 'Reserved: no operation requires it yet.' },
  settings_read: { label: 'Read model settings', help: 'Read model providers and presets.' },
  settings_write: { label: 'Edit model settings', help: 'Manage model providers and presets.' },
  users_read: { label: 'Read users', help: 'Reserved: no operation requires it yet.' },
  users_write: { label: 'Edit users', help: 'Reserved: no operation requires it yet.' },
  workspace_read: { label: 'Read workspaces', help: 'Read the workspaces of the organization.' },
  workspace_write: { label: 'Edit workspaces', help: 'Create, change and delete workspaces.' },
  audit_read: { label: 'Read the audit', help: 'Read which tools runs have called.' },
};
