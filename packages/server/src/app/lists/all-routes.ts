import type { Config } from '../../config.ts';
import { inboxRoutes } from '../../features/approvals/handlers.ts';
import { makeApprovalInbox } from '../../features/approvals/inbox.ts';
import { withSharedAccess } from '../../features/conversations/shares/shared-access.ts';
import { formFieldRoutes } from '../../features/form-fields/handlers.ts';
import { makeFormFields } from '../../features/form-fields/service.ts';
import { addMay } from '../../features/may/service.ts';
import { runRoutes } from '../../features/runs/run-handlers.ts';
import { findConversationOfRun } from '../../features/runs/store.ts';
import { makeRunFigures } from '../../features/usage/run-figures.ts';
import { type Uses, useRoutes } from '../../features/uses/handlers.ts';
import { tellUses } from '../../features/uses/tell-uses.ts';
import { makeCombinedRuns } from '../../features/workflows/runs/combined-runs.ts';
import type { Log } from '../../lib/log.ts';
import type { Route } from '../../lib/route.ts';
import { makeVacuumJob, makeVacuumLater } from '../../worker/vacuum-job.ts';
import { composeSystem } from '../admin/compose-system.ts';
import { itemRules } from '../item-rules.ts';
import { composeSearch } from '../search/compose-search.ts';
import { composeUses } from '../uses/compose-uses.ts';
import type { Parts } from './parts.ts';
import { vacuumAfterOperations } from './vacuum-after-deletion.ts';

/** The routes of parts that are made of several others. */
function combinedRoutes(parts: Parts, config: Config, uses: Uses): Route[] {
  const { agentParts, conversing, models, running, safety, tables, workflows } = parts;
  const { db, encrypt } = parts.foundation;
  const { agents } = agentParts;
  const { conversations } = conversing;
  return [
    ...formFieldRoutes(makeFormFields({ findAgent: agents.get })),
    ...useRoutes(uses),
    ...runRoutes(makeCombinedRuns(running.agentRuns, workflows.runs, workflows.streams, makeRunFigures({ db }))),
    ...inboxRoutes(
      makeApprovalInbox({
        ...{ conversations: running.requests, workflows: workflows.requests },
        unlocks: agentParts.unlockRequests.inbox,
      }),
    ),
    ...parts.tracing.routes({
      ...{ transcript: parts.transcript, safety, registry: models.registry, budgets: parts.callBudgets },
      ...{ runLog: running.runLog, workflowSteps: workflows.stepsOf, findHiddenRuns: parts.findHiddenRuns },
    }),
    ...composeSearch({
      ...{ db, encrypt, agents, conversations, visibility: parts.visibility },
      ...{ tables: tables.tables, workflows: workflows.workflows },
    }),
    ...composeSystem({
      ...{ db, config, registry: models.registry, engines: parts.sandboxing.engines, machine: parts.machine },
    }),
  ];
}

/** Every operation of the API, with the rules that hold for all of them. */
export function listRoutes(parts: Parts, config: Config, log: Log): Route[] {
  const { agentParts, conversing, knowledgeBases, mcp, variables } = parts;
  const uses = composeUses({
    ...{ db: parts.foundation.db, agents: agentParts.agents, conversations: conversing.conversations, variables },
    ...{ workflows: parts.workflows.workflows, files: parts.filing.files, tables: parts.tables.tables },
    ...{ bases: knowledgeBases.bases, servers: mcp.servers },
  });
  const routes = [
    ...conversing.routes,
    ...parts.running.routes,
    ...parts.baseTools.routes,
    ...parts.models.routes,
    ...parts.safety.routes(conversing.conversations),
    ...parts.agentParts.routes,
    ...parts.filing.routes,
    ...parts.variables.routes,
    ...parts.tables.routes,
    ...parts.sandboxing.routes,
    ...parts.mcp.routes,
    ...parts.trials.routes,
    ...parts.knowledgeBases.routes,
    ...parts.workflows.routes,
    ...parts.triggering.routes,
    ...parts.channels.routes,
    ...parts.insights.routes,
    ...parts.evaluating.routes,
    ...parts.tenancy.routes,
    ...parts.storage.routes,
    ...parts.personalData.routes,
    ...parts.workspaceArchives.routes,
    ...parts.budgets.routes,
    ...parts.events.routes,
    ...parts.notifications.routes,
    ...combinedRoutes(parts, config, uses),
  ];
  const conversationOfRun = (workspace_id: string, run_id: string) =>
    findConversationOfRun(parts.foundation.db, workspace_id, run_id);
  const { db } = parts.foundation;
  const shared = withSharedAccess(tellUses(routes, uses, log), { shares: conversing.shares, conversationOfRun });
  const vacuumLater = makeVacuumLater(makeVacuumJob({ db }));
  return addMay(vacuumAfterOperations(shared, { db, vacuumLater }), itemRules);
}
