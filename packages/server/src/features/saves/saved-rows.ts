import type { Scope } from '../../lib/scope.ts';
import type { FindSavedRow, SavedRow } from './ports.ts';

type Where = 'workspace' | 'tenant';
const ownerOf = (scope: Scope, where: Where) =>
  where === 'workspace' ? { workspace_id: scope.workspace_id } : { tenant_id: scope.tenant_id };

/** The record that the last parameter of the path names; others that it names are given by their columns. */
const row =
  (
    table: string,
    where: Where,
    id: string,
    { of = {}, counted = false }: { of?: Record<string, string>; counted?: boolean } = {},
  ): FindSavedRow =>
  (scope, params) => ({
    table,
    counted,
    key: {
      ...ownerOf(scope, where),
      ...Object.fromEntries(Object.entries({ ...of, id }).map(([column, param]) => [column, params[param] ?? ''])),
    },
  });

const inBase = { of: { kb_id: 'knowledge_base_id' } };
const column = row('tables', 'workspace', 'table_id');
const ofGroup =
  (table: string, id: string): FindSavedRow =>
  (_, params): SavedRow => ({ table, key: { workspace_id: params['group_id'] ?? '', id: params[id] ?? '' } });

const ofTenant = ({ tenant_id }: Scope) => [tenant_id];
const ofWorkspace = ({ workspace_id }: Scope) => [workspace_id];

/** A record that is set as a whole, by the table that it is stored in and the ids of its key. */
const record =
  (kind: string, owner: (scope: Scope) => string[], ...params: string[]): FindSavedRow =>
  (scope, given): SavedRow => {
    const key = [...owner(scope), ...params.map((name) => given[name] ?? '')].join('/');
    return { table: 'record_versions', key: { kind, key }, versioned: true, absent: '0' };
  };

const defaults = record('model_defaults', ofTenant);
const preset = record('model_presets', ofTenant, 'preset_name');
const programs = record('mcp_program_grants', () => [], 'group_id');
const folderRights = record('kb_folder_rights', ofWorkspace, 'knowledge_base_id');
const publishGate = record('publish_gates', ofWorkspace, 'agent_id');
const preferences = record('preferences', ({ actor }) => [actor.id]);

/** The records whose answers have their version in the header ETag. */
export const versionedRecords: Readonly<Record<string, FindSavedRow>> = {
  ...{ 'defaults.get': defaults, 'defaults.set': defaults, 'presets.get': preset, 'presets.set': preset },
  ...{ 'mcpPrograms.listOfWorkspace': programs, 'mcpPrograms.setOfWorkspace': programs },
  ...{ 'folders.listRights': folderRights, 'folders.setRights': folderRights },
  ...{ 'publishGates.get': publishGate, 'publishGates.set': publishGate },
  ...{ 'preferences.get': preferences, 'preferences.set': preferences },
};

/** The row that each operation with If-Match changes. A column is a part of its table, and has the version of that. */
export const savedRows: Readonly<Record<string, FindSavedRow>> = {
  'agentMemories.update': row('memories', 'workspace', 'memory_id'),
  'agents.update': row('agents', 'workspace', 'agent_id', { counted: true }),
  'budgets.update': row('budgets', 'tenant', 'budget_id'),
  'columns.changeType': column,
  'columns.rename': column,
  'columns.update': column,
  'conversationMemories.update': row('memories', 'workspace', 'memory_id'),
  'conversations.update': row('conversations', 'workspace', 'conversation_id', { counted: true }),
  'deployments.update': row('deployments', 'workspace', 'deployment_id', { counted: true }),
  'documents.update': row('kb_documents', 'workspace', 'document_id', inBase),
  // A case is a part of its evaluation, and has the version of that.
  'evaluationCases.update': row('evaluations', 'workspace', 'evaluation_id'),
  'evaluations.update': row('evaluations', 'workspace', 'evaluation_id'),
  'identityProviders.update': row('identity_providers', 'tenant', 'identity_provider_id'),
  'keys.update': ofGroup('api_keys', 'api_key_id'),
  'knowledgeBases.update': row('knowledge_bases', 'workspace', 'knowledge_base_id'),
  'mcpServers.update': row('mcp_servers', 'workspace', 'mcp_server_id'),
  'memberGroups.set': () => 'service',
  'members.set': () => 'service',
  'passages.update': () => 'service',
  'people.updateOwn': ({ tenant_id, actor }) => ({ table: 'people', key: { tenant_id, id: actor.id } }),
  'people.update': row('people', 'tenant', 'person_id'),
  'providers.update': row('provider_accounts', 'tenant', 'provider_id'),
  'roles.update': row('roles', 'tenant', 'role_id'),
  'rows.update': () => 'service',
  'serviceAccounts.update': ofGroup('service_accounts', 'service_account_id'),
  'signInPolicy.update': ({ tenant_id }) => ({ table: 'sign_in_policies', key: { tenant_id }, absent: '0' }),
  'sites.update': row('kb_sites', 'workspace', 'site_id', inBase),
  'tables.update': row('tables', 'workspace', 'table_id'),
  'triggers.update': row('triggers', 'workspace', 'trigger_id'),
  'userGroups.update': row('user_groups', 'tenant', 'user_group_id'),
  'variables.update': row('variables', 'workspace', 'variable_id'),
  'vaultCredentials.update': row('vault_credentials', 'workspace', 'vault_credential_id'),
  'webhooks.update': row('webhooks', 'workspace', 'webhook_id'),
  'workflowVersions.update': row('workflow_versions', 'workspace', 'version_id'),
  'workflows.update': row('workflows', 'workspace', 'workflow_id'),
  'workspaces.update': row('workspaces', 'tenant', 'group_id'),
};
