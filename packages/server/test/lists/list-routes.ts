import { methodAndPath } from '@atrium/contract/operation.ts';
import type { Route } from '../../src/lib/route.ts';
import { sampleOf } from '../support/schema-samples.ts';
import type { Place } from '../walk/walk-fixtures.ts';
import { paramsOf } from '../walk/walk-requests.ts';

/** Records to make besides those in its path, so that a list has an entry. */
const listed: Readonly<Record<string, string>> = {
  'conversations.list': 'message',
  'approvals.list': 'approval',
  'approvals.listOfConversation': 'approval',
  'agentMemories.list': 'agent_memory',
  'toolCalls.list': 'agent_memory',
  'conversationMemories.list': 'conversation_memory',
  'conversationFiles.list': 'conversation_file',
  'agents.list': 'agent',
  'agentVersions.list': 'agent_version',
  'unlockRequests.list': 'unlock_request',
  'files.list': 'file',
  'files.listAlias': 'file',
  'variables.list': 'variable',
  'vaultCredentials.list': 'vault_credential',
  'tables.list': 'table',
  'sandboxes.list': 'sandbox',
  'mcpServers.list': 'mcp_server',
  'knowledgeBases.list': 'knowledge_base',
  'documents.list': 'kb_document',
  'documents.listAlias': 'kb_document',
  'sites.list': 'kb_site',
  'workflows.list': 'workflow',
  'workflowVersions.list': 'workflow_version',
  'workflowRuns.list': 'workflow_run',
  'runs.list': 'run',
  'triggers.listDeliveries': 'trigger_delivery',
  'webhooks.list': 'webhook',
  'webhooks.listDeliveries': 'webhook_delivery',
  'deployments.list': 'deployment',
  'deployments.listAll': 'deployment',
  'triggers.list': 'trigger',
  'budgets.list': 'budget',
  'dataJobs.list': 'data_job',
  'people.list': 'person',
  'userGroups.list': 'user_group',
  'keys.listAll': 'api_key',
  'evaluations.list': 'evaluation',
  'evaluationCases.list': 'evaluation',
  'evaluationRuns.list': 'evaluation_run',
};

export const hasEntry = (route: Route) => route.id in listed;

/** The path of a list with the ids of the place's own records; makes an entry where it knows how. */
export async function pathOf(route: Route, place: Place): Promise<string> {
  const values = new Map<string, string>();
  const kind = listed[route.id];
  if (kind !== undefined) await place.record(kind);
  const isWaiting = kind === 'approval';
  for (const { name, maker, schema } of paramsOf(route)) {
    const record = isWaiting && maker === 'conversation' ? 'waiting_conversation' : maker;
    values.set(name, record ? await place.record(record) : String(sampleOf(schema, () => '')));
  }
  return methodAndPath(route).path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? ''));
}
