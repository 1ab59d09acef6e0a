import type { Database } from '../db/database.ts';
import { makeExtract } from '../drivers/extractors/extract.ts';
import { makeQuickJs } from '../drivers/scripts/quickjs.ts';
import type { Web } from '../drivers/web/driver.ts';
import type { Conversations } from '../features/conversations/service.ts';
import type { Files } from '../features/files/service.ts';
import type { Registry } from '../features/models/registry.ts';
import type { RunAccounts } from '../features/runs/run-accounts.ts';
import { piiDefault } from '../features/settings/safety.ts';
import { makeAskModel } from '../features/workflows/ask-model.ts';
import { makeOnce } from '../features/workflows/effects.ts';
import { veilOfNode } from '../features/workflows/inherited-privacy.ts';
import { makeNodeGuardrails } from '../features/workflows/node-guardrails.ts';
import type { AgentCallNeeds } from '../features/workflows/nodes/agent-call.ts';
import { allNodes } from '../features/workflows/nodes/all.ts';
import type { ToolCallNeeds } from '../features/workflows/nodes/tool-call.ts';
import type { makeKnowledgeBases } from './knowledge-bases.ts';
import type { Safety } from './safety.ts';
import type { makeSandboxing } from './sandboxes.ts';
import type { makeTableParts } from './tables.ts';

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
  /** Those whose tools need no conversation; agents' own are made later. */
  toolSources: ToolCallNeeds['sources'];
  knowledgeBases: ReturnType<typeof makeKnowledgeBases>;
  tables: Awaited<ReturnType<typeof makeTableParts>>;
  sandboxing: ReturnType<typeof makeSandboxing>;
}

/** The nodes of workflows, with what they need of the rest of the platform. */
export function makeNodes(options: NodeOptions) {
  const { accounts, db, web, files, registry, safety, conversations, running, knowledgeBases, tables, sandboxing } =
    options;
  const { privacy } = safety;
  const once = makeOnce({ db });
  return allNodes({
    ask: makeAskModel({ registry, privacy, accounts, guard: makeNodeGuardrails(safety) }),
    // What is searched for may be embedded and ranked elsewhere.
    search: (scope, kb_id, wanted) =>
      knowledgeBases.search(scope, kb_id, wanted, veilOfNode(privacy, scope, piiDefault)),
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
      privacy,
    },
    once,
  });
}
