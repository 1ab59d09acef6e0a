import { deleteAgent } from '@atrium/contract/agents/operations.ts';
import { AppError } from '@atrium/contract/errors.ts';
import { deleteFile, deleteFileAlias } from '@atrium/contract/files/operations.ts';
import { deleteKnowledgeBase } from '@atrium/contract/knowledge-bases/operations.ts';
import { deleteMcpServer } from '@atrium/contract/mcp/operations.ts';
import type { Operation } from '@atrium/contract/operation.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { deleteTable } from '@atrium/contract/tables/table-operations.ts';
import {
  listAgentUses,
  listFileUses,
  listKnowledgeBaseUses,
  listMcpServerUses,
  listTableUses,
  listWorkflowUses,
} from '@atrium/contract/uses/operations.ts';
import type { UsedBy } from '@atrium/contract/uses/schema.ts';
import { deleteWorkflow } from '@atrium/contract/workflows/operations.ts';
import { type Log, redactedErrorFields } from '../../lib/log.ts';
import type { Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Uses } from './handlers.ts';

/** The deletions that leave behind what names the record. A variable in use is deleted only by force. */
const deletions = new Map<string, { kind: keyof Uses; param: string; list: Pick<Operation, 'permission'> }>([
  [deleteAgent.id, { kind: 'agent', param: 'agent_id', list: listAgentUses }],
  [deleteWorkflow.id, { kind: 'workflow', param: 'workflow_id', list: listWorkflowUses }],
  [deleteKnowledgeBase.id, { kind: 'knowledge_base', param: 'knowledge_base_id', list: listKnowledgeBaseUses }],
  [deleteTable.id, { kind: 'table', param: 'table_id', list: listTableUses }],
  [deleteFile.id, { kind: 'file', param: 'file_id', list: listFileUses }],
  [deleteFileAlias.id, { kind: 'file', param: 'file_id', list: listFileUses }],
  [deleteMcpServer.id, { kind: 'mcp_server', param: 'mcp_server_id', list: listMcpServerUses }],
]);

/** Answers a deletion with what still names the record, for callers who may list that. It never stops the deletion. */
export const tellUses = (routes: readonly Route[], uses: Uses, log: Log): Route[] =>
  routes.map((route) => {
    const { kind, param, list } = deletions.get(route.id) ?? {};
    if (!kind || !param || !list) return route;
    const look = async (scope: Scope, id: string): Promise<UsedBy | undefined> => {
      if (![list.permission].flat().some((one) => allows(scope.permissions, one as Permission))) return undefined;
      try {
        return await uses[kind](scope, id);
      } catch (error) {
        // A record that is not there is refused by the deletion itself.
        if (!(error instanceof AppError))
          log.warn('uses.failed', { operation: route.id, ...redactedErrorFields(error) });
        return undefined;
      }
    };
    return {
      ...route,
      async handler(scope, input) {
        const found = await look(scope, (input.params as unknown as Record<string, string>)[param] ?? '');
        const answer = await route.handler(scope, input);
        return found && found.items.length + found.hidden > 0 ? { ...(answer as object), uses: found } : answer;
      },
    };
  });
