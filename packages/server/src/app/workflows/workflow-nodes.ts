import { piiDefault } from '@atrium/contract/settings/keys/safety.ts';
import type { Database } from '../../db/database.ts';
import { makeExtract } from '../../drivers/extractors/extract.ts';
import { makeQuickJs } from '../../drivers/scripts/quickjs.ts';
import type { Web } from '../../drivers/web/driver.ts';
import type { Conversations } from '../../features/conversations/service.ts';
import type { Files } from '../../features/files/service.ts';
import type { Registry } from '../../features/models/service.ts';
import type { RunAccounts } from '../../features/usage/ports.ts';
import { makeAskModel } from '../../features/workflows/node-services/ask-model.ts';
import { anonymizerForNode } from '../../features/workflows/node-services/node-anonymizer.ts';
import { makeNodeGuardrails } from '../../features/workflows/node-services/node-guardrails.ts';
import { makeRunOnce } from '../../features/workflows/node-services/run-once.ts';
import { allNodes } from '../../features/workflows/nodes/all-nodes.ts';
import type { AgentCallNeeds } from '../../features/workflows/nodes/integrations/agent-call.ts';
import type { ToolCallNeeds } from '../../features/workflows/nodes/integrations/tool-call.ts';
import type { composeKnowledgeBases } from '../knowledge-bases.ts';
import type { Safety } from '../safety.ts';
import type { composeTables } from '../tables.ts';
import type { composeSandboxes } from '../tools/sandboxes.ts';

export interface NodeOptions {
  db: Database;
  web: Web;
  files: Files;
  registry: Registry;
  accounts: RunAccounts;
  safety: Safety;
  conversations: Conversations;
  running: AgentCallNeeds['running'];
  settingsOf: ToolCallNeeds['settingsOf'];
  restrictedOf: ToolCallNeeds['restrictedOf'];
  /** The sources of tools that need no conversation; a function, since some are composed later. */
  toolSources: ToolCallNeeds['sources'];
  /** The sources of base tools, for runs that belong to a conversation. */
  conversationToolSources: ToolCallNeeds['conversationSources'];
  knowledgeBases: ReturnType<typeof composeKnowledgeBases>;
  tables: Awaited<ReturnType<typeof composeTables>>;
  sandboxing: ReturnType<typeof composeSandboxes>;
}

/** Composes the nodes of workflows with the services that they need. */
export function composeWorkflowNodes(options: NodeOptions) {
  const { accounts, db, web, files, registry, safety, conversations, running, knowledgeBases, tables, sandboxing } =
    options;
  const { privacy } = safety;
  const once = makeRunOnce({ db });
  return allNodes({
    ask: makeAskModel({ registry, privacy, accounts, guard: makeNodeGuardrails(safety) }),
    // Anonymized, since other services may embed the query and rank the results.
    search: (scope, kb_id, wanted) =>
      knowledgeBases.search(scope, kb_id, wanted, anonymizerForNode(privacy, scope, piiDefault)),
    rows: tables.rows,
    files,
    extract: makeExtract(),
    web,
    code: { scripts: makeQuickJs(), sandboxes: sandboxing.sandboxes, commands: sandboxing.commands },
    agents: { conversations, running, once },
    toolCalls: {
      settingsOf: options.settingsOf,
      restrictedOf: options.restrictedOf,
      sources: options.toolSources,
      conversationSources: options.conversationToolSources,
      privacy,
    },
    once,
  });
}
