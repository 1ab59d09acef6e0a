import type { Database } from '../../db/database.ts';
import type { Agents } from '../../features/agents/service.ts';
import type { Conversations } from '../../features/conversations/service.ts';
import { deploymentsOf } from '../../features/deployments/store.ts';
import type { Files } from '../../features/files/service.ts';
import type { KnowledgeBases } from '../../features/knowledge-bases/service.ts';
import { basesWithFile } from '../../features/knowledge-bases/store.ts';
import type { McpServers } from '../../features/mcp/service.ts';
import type { Tables } from '../../features/tables/service.ts';
import { triggersUsing } from '../../features/triggers/store.ts';
import type { Uses } from '../../features/uses/handlers.ts';
import type { UseFinder } from '../../features/uses/ports.ts';
import { findUses, recordById, recordByUrl } from '../../features/uses/service.ts';
import type { Variables } from '../../features/variables/service.ts';
import type { Workflows } from '../../features/workflows/service.ts';
import type { Scope } from '../../lib/scope.ts';

export const agentUses = (agents: Pick<Agents, 'bySettings'>): UseFinder => ({
  ...{ kind: 'agent', permission: 'agents_run' },
  find: (scope, { pattern }, limit) => agents.bySettings(scope, pattern, limit),
});

export const conversationUses = (conversations: Pick<Conversations, 'bySettings'>): UseFinder => ({
  ...{ kind: 'conversation', permission: 'agents_run' },
  find: (scope, record, limit) => conversations.bySettings(scope, record, limit),
});

export const workflowUses = (find: UseFinder['find']): UseFinder => ({
  ...{ kind: 'workflow', permission: 'flows_run', find },
});

/** What uses each kind of record, from the features whose records can name others. */
export function composeUses(deps: {
  db: Database;
  agents: Agents;
  conversations: Conversations;
  workflows: Workflows;
  files: Files;
  bases: KnowledgeBases;
  tables: Tables;
  servers: McpServers;
  variables: Pick<Variables, 'usedBy' | 'byFile'>;
}): Uses {
  const { db, agents, conversations, workflows, files, bases, tables, servers, variables } = deps;
  const inSettings = [agentUses(agents), conversationUses(conversations)];
  const inWorkflows = workflowUses((scope, { pattern }, limit) => workflows.byMention(scope, pattern, limit));
  const triggers = (['agent', 'workflow'] as const).map(
    (target): UseFinder => ({
      ...{ kind: 'trigger', permission: target === 'agent' ? 'agents_run' : 'flows_run' },
      find: ({ workspace_id }, { id }, limit) => triggersUsing(db, workspace_id, target, id, limit),
    }),
  );
  const deployed: UseFinder = {
    ...{ kind: 'deployment', permission: 'agents_edit' },
    find: ({ workspace_id }, { id }, limit) => deploymentsOf(db, workspace_id, id, limit),
  };
  const ofFiles: UseFinder[] = [
    {
      ...{ kind: 'variable', permission: 'variables_read' },
      find: (scope, { id }, limit) => variables.byFile(scope, id, limit),
    },
    {
      ...{ kind: 'knowledge_base', permission: 'kbs_query' },
      find: ({ workspace_id }, { id }, limit) => basesWithFile(db, workspace_id, id, limit),
    },
  ];

  /** The record is read first, so that one of another workspace is answered with 404. */
  const usesOf =
    (read: (scope: Scope, id: string) => Promise<unknown>, finders: readonly UseFinder[]) =>
    async (scope: Scope, id: string) => {
      await read(scope, id);
      return findUses(scope, recordById(id), finders);
    };
  return {
    agent: usesOf(agents.get, [...inSettings, inWorkflows, ...triggers, deployed]),
    workflow: usesOf((scope, id) => workflows.find(scope, id), [...inSettings, inWorkflows, ...triggers]),
    knowledge_base: usesOf(bases.get, [...inSettings, inWorkflows, ...triggers]),
    table: usesOf(tables.get, [...inSettings, inWorkflows, ...triggers]),
    file: usesOf(files.get, [...inSettings, inWorkflows, ...ofFiles]),
    variable: variables.usedBy,
    mcp_server: async (scope, id) => findUses(scope, recordByUrl(id, await servers.urlOf(scope, id)), inSettings),
  };
}
