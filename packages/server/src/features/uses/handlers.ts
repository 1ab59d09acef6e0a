import {
  listAgentUses,
  listFileUses,
  listKnowledgeBaseUses,
  listMcpServerUses,
  listTableUses,
  listVariableUses,
  listWorkflowUses,
} from '@atrium/contract/uses/operations.ts';
import type { UsedBy } from '@atrium/contract/uses/schema.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';

type UsesOf = (scope: Scope, id: string) => Promise<UsedBy>;
type Used = 'agent' | 'workflow' | 'knowledge_base' | 'table' | 'file' | 'variable' | 'mcp_server';

/** What uses each kind of record. Each throws when the caller's workspace has no such record. */
export type Uses = Readonly<Record<Used, UsesOf>>;

export const useRoutes = (uses: Uses): Route[] => [
  handle(listAgentUses, (scope, { params }) => uses.agent(scope, params.agent_id)),
  handle(listWorkflowUses, (scope, { params }) => uses.workflow(scope, params.workflow_id)),
  handle(listKnowledgeBaseUses, (scope, { params }) => uses.knowledge_base(scope, params.knowledge_base_id)),
  handle(listTableUses, (scope, { params }) => uses.table(scope, params.table_id)),
  handle(listFileUses, (scope, { params }) => uses.file(scope, params.file_id)),
  handle(listVariableUses, (scope, { params }) => uses.variable(scope, params.variable_id)),
  handle(listMcpServerUses, (scope, { params }) => uses.mcp_server(scope, params.mcp_server_id)),
];
