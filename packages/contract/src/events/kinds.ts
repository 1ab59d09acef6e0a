import type { Permission } from '../permissions.ts';

/**
 * The kinds of records that events are about, each with the permissions of which a reader needs one. Events of runs and
 * approvals need what their conversation or workflow needs: see `parent`.
 */
export const eventKinds = {
  conversation: ['agents_run'],
  run: [],
  approval: [],
  agent: ['agents_run'],
  agent_version: ['agents_run'],
  workflow: ['flows_run'],
  workflow_version: ['flows_run'],
  knowledge_base: ['kbs_query'],
  document: ['kbs_query'],
  // Sites may be hidden from readers, and so may what their crawls find.
  kb_site: ['kbs_edit'],
  ingestion_run: ['kbs_edit'],
  table: ['tables_read'],
  row: ['tables_read'],
  variable: ['variables_read'],
  vault_credential: ['variables_read'],
  trigger: [],
  deployment: ['agents_edit'],
  webhook: ['integrations_edit'],
  mcp_server: ['integrations_edit'],
  evaluation: ['insights_read'],
  evaluation_run: ['insights_read'],
  budget: ['workspace_admin'],
  api_key: ['workspace_admin'],
  service_account: ['workspace_admin'],
  invitation: ['workspace_admin'],
  provider: ['settings_read'],
  // By its name, as agents name it in their settings.
  model: ['agents_run'],
  role: ['org:admin'],
  data_job: ['org:admin'],
  notification: [],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

export type EventKind = keyof typeof eventKinds;
export const eventKindNames = Object.keys(eventKinds) as EventKind[];
