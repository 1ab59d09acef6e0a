import type { makeCallBudgets } from '../../features/budgets/service.ts';
import type { Transcript } from '../../features/conversations/ports.ts';
import type { Visibility } from '../../features/knowledge-bases/rights/visible.ts';
import type { FindHiddenRuns } from '../../features/ownership/service.ts';
import type { MachineMetrics } from '../../lib/machine/machine-metrics.ts';
import type { Route } from '../../lib/route.ts';
import type { composeAgents } from '../agents.ts';
import type { composeBudgets } from '../budgets.ts';
import type { composeChannels } from '../channels.ts';
import type { composeConversations } from '../conversations.ts';
import type { composeEvaluations } from '../evaluations.ts';
import type { composeFiles } from '../files/compose-files.ts';
import type { composeStorage } from '../files/compose-storage.ts';
import type { Foundation } from '../foundation/open-foundation.ts';
import type { composeInsights } from '../insights.ts';
import type { composeKnowledgeBases } from '../knowledge-bases.ts';
import type { composeEvents } from '../live/events.ts';
import type { composeNotifications } from '../live/notifications.ts';
import type { composeModels } from '../models.ts';
import type { composePersonalData, composeWorkspaceArchives } from '../personal-data.ts';
import type { Running } from '../runs.ts';
import type { composeSafety } from '../safety.ts';
import type { composeTables } from '../tables.ts';
import type { composeTenancy } from '../tenancy.ts';
import type { composeBaseTools } from '../tools/base-tools.ts';
import type { composeMcpClients } from '../tools/mcp.ts';
import type { composeSandboxes } from '../tools/sandboxes.ts';
import type { composeTraces } from '../traces.ts';
import type { composeVariables } from '../variables.ts';
import type { composeTriggers } from '../workflows/triggers.ts';
import type { composeWorkflows } from '../workflows/workflows.ts';

type Made<T extends (...given: never[]) => unknown> = Awaited<ReturnType<T>>;

/** Every part of the program that answers requests or has jobs. */
export interface Parts {
  foundation: Foundation;
  /** Undefined where this process is the only one. */
  machine: MachineMetrics | undefined;
  visibility: Visibility;
  findHiddenRuns: FindHiddenRuns;
  storage: { jobs: Made<typeof composeStorage>['jobs']; routes: Route[] };
  filing: Made<typeof composeFiles>;
  tracing: Made<typeof composeTraces>;
  callBudgets: Made<typeof makeCallBudgets>;
  models: Made<typeof composeModels>;
  tables: Made<typeof composeTables>;
  safety: Made<typeof composeSafety>;
  knowledgeBases: Made<typeof composeKnowledgeBases>;
  sandboxing: Made<typeof composeSandboxes>;
  tenancy: Omit<Made<typeof composeTenancy>, 'workspaces'>;
  events: Made<typeof composeEvents>;
  notifications: Made<typeof composeNotifications>;
  agentParts: Made<typeof composeAgents>;
  conversing: Made<typeof composeConversations>;
  personalData: Made<typeof composePersonalData>;
  mcp: Made<typeof composeMcpClients>;
  variables: Made<typeof composeVariables>;
  budgets: Made<typeof composeBudgets>;
  insights: Made<typeof composeInsights>;
  baseTools: Made<typeof composeBaseTools>;
  transcript: Transcript;
  workflows: Made<typeof composeWorkflows>;
  evaluating: Made<typeof composeEvaluations>;
  running: Running;
  triggering: Made<typeof composeTriggers>;
  channels: Made<typeof composeChannels>;
  workspaceArchives: Made<typeof composeWorkspaceArchives>;
}
