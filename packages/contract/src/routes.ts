import { agentsRoutes } from './agents/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { approvalsRoutes } from './approvals/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { budgetsRoutes } from './budgets/routes.ts';
import { channelsRoutes } from './channels/routes.ts';
import { completionsRoutes } from './completions/routes.ts';
import { conversationFilesRoutes } from './conversation-files/routes.ts';
import { conversationsRoutes } from './conversations/routes.ts';
import { deploymentsRoutes } from './deployments/routes.ts';
import { evaluationsRoutes } from './evaluations/routes.ts';
import { eventsRoutes } from './events/routes.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { filesRoutes } from './files/routes.ts';
import { formFieldsRoutes } from './form-fields/routes.ts';
import { identityProviderRoutes } from './identity-providers/routes.ts';
import { insightsRoutes } from './insights/routes.ts';
import { keysRoutes } from './keys/routes.ts';
import { knowledgeBasesRoutes } from './knowledge-bases/routes.ts';
import { sitesRoutes } from './knowledge-bases/sites/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { memoryRoutes } from './memories/routes.ts';
import { modelsRoutes } from './models/routes.ts';
import { notificationsRoutes } from './notifications/routes.ts';
import { peopleRoutes } from './people/routes.ts';
import { personalDataRoutes } from './personal-data/routes.ts';
import { preferencesRoutes } from './preferences/routes.ts';
import { rolesRoutes } from './roles/routes.ts';
import { runsRoutes } from './runs/routes.ts';
import { safetyRoutes } from './safety/routes.ts';
import { sandboxesRoutes } from './sandboxes/routes.ts';
import { scimRoutes } from './scim/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { secondFactorRoutes } from './second-factors/routes.ts';
import { serviceAccountsRoutes } from './service-accounts/routes.ts';
import { sessionsRoutes } from './sessions/routes.ts';
import { systemRoutes } from './system/routes.ts';
import { exchangeRoutes } from './tables/exchange/routes.ts';
import { queryRoutes } from './tables/query/routes.ts';
import { tablesRoutes } from './tables/routes.ts';
import { tracesRoutes } from './traces/routes.ts';
import { triggersRoutes } from './triggers/routes.ts';
import { userGroupRoutes } from './user-groups/routes.ts';
import { usesRoutes } from './uses/routes.ts';
import { variablesRoutes } from './variables/routes.ts';
import { vaultRoutes } from './vault/routes.ts';
import { webhooksRoutes } from './webhooks/routes.ts';
import { workflowsRoutes } from './workflows/routes.ts';
import { workspacesRoutes } from './workspaces/routes.ts';

/** The method and path of every operation by its id. No schemas are loaded with it. */
export const routes = {
  ...agentsRoutes,
  ...analyticsRoutes,
  ...approvalsRoutes,
  ...auditRoutes,
  ...channelsRoutes,
  ...completionsRoutes,
  ...conversationFilesRoutes,
  ...conversationsRoutes,
  ...deploymentsRoutes,
  ...evaluationsRoutes,
  ...eventsRoutes,
  ...feedbackRoutes,
  ...filesRoutes,
  ...formFieldsRoutes,
  ...identityProviderRoutes,
  ...insightsRoutes,
  ...keysRoutes,
  ...serviceAccountsRoutes,
  ...knowledgeBasesRoutes,
  ...sitesRoutes,
  ...mcpRoutes,
  ...memoryRoutes,
  ...modelsRoutes,
  ...peopleRoutes,
  ...userGroupRoutes,
  ...personalDataRoutes,
  ...notificationsRoutes,
  ...preferencesRoutes,
  ...scimRoutes,
  ...rolesRoutes,
  ...runsRoutes,
  ...safetyRoutes,
  ...sandboxesRoutes,
  ...secondFactorRoutes,
  ...sessionsRoutes,
  ...systemRoutes,
  ...searchRoutes,
  ...exchangeRoutes,
  ...queryRoutes,
  ...tablesRoutes,
  ...tracesRoutes,
  ...triggersRoutes,
  ...usesRoutes,
  ...variablesRoutes,
  ...vaultRoutes,
  ...webhooksRoutes,
  ...workflowsRoutes,
  ...workspacesRoutes,
  ...budgetsRoutes,
} as const;
export type OperationId = keyof typeof routes;
