import type * as z from 'zod';
import { operation } from '../operation.ts';
import { noSuch } from '../operation-errors.ts';
import type { Permission } from '../permissions.ts';
import * as s from '../schema/schema.ts';
import { usesRoutes } from './routes.ts';
import { usedBy } from './schema.ts';

const idOf = (kind: string, what: string) => s.uuid(kind).describe(`The id of the ${what}.`);

function listUses<P extends z.ZodType>(
  id: keyof typeof usesRoutes,
  {
    tag,
    what,
    permission,
    params,
    users,
  }: { tag: string; what: string; permission: Permission; params: P; users: string },
) {
  return operation({
    id,
    route: usesRoutes[id],
    summary: `List what uses ${what}`,
    description: `Returns the ${users} that name ${what}, in what is published, drafted or kept as a version. Records that the caller may not see are counted and not named. Ask it before a deletion.`,
    tag,
    permission,
    params,
    errors: [noSuch('record')],
    answer: usedBy,
  });
}

export const listAgentUses = listUses('agents.listUses', {
  ...{ tag: 'Agents', what: 'an agent', permission: 'agents_run' },
  users: 'agents, workflows, conversations, triggers and deployments',
  params: s.object({ agent_id: idOf('agent', 'agent') }),
});
export const listWorkflowUses = listUses('workflows.listUses', {
  ...{ tag: 'Workflows', what: 'a workflow', permission: 'flows_run' },
  users: 'agents, workflows, conversations and triggers',
  params: s.object({ workflow_id: idOf('workflow', 'workflow') }),
});
export const listKnowledgeBaseUses = listUses('knowledgeBases.listUses', {
  ...{ tag: 'Knowledge bases', what: 'a knowledge base', permission: 'kbs_query' },
  users: 'agents, workflows, conversations and triggers',
  params: s.object({ knowledge_base_id: idOf('knowledge_base', 'knowledge base') }),
});
export const listTableUses = listUses('tables.listUses', {
  ...{ tag: 'Tables', what: 'a table', permission: 'tables_read' },
  users: 'agents, workflows, conversations and triggers',
  params: s.object({ table_id: idOf('table', 'table') }),
});
export const listFileUses = listUses('files.listUses', {
  ...{ tag: 'Files', what: 'a file', permission: 'files_read' },
  users: 'agents, workflows, conversations, variables and knowledge bases',
  params: s.object({ file_id: idOf('file', 'file') }),
});
export const listVariableUses = listUses('variables.listUses', {
  ...{ tag: 'Variables', what: 'a variable', permission: 'variables_read' },
  users: 'agents, workflows and conversations',
  params: s.object({ variable_id: idOf('variable', 'variable') }),
});
export const listMcpServerUses = listUses('mcpServers.listUses', {
  ...{ tag: 'MCP servers', what: 'an MCP server', permission: 'integrations_edit' },
  users: 'agents and conversations',
  params: s.object({ mcp_server_id: idOf('mcp_server', 'MCP server') }),
});

export const usesOperations = [
  ...[listAgentUses, listWorkflowUses, listKnowledgeBaseUses, listTableUses, listFileUses],
  ...[listVariableUses, listMcpServerUses],
];
