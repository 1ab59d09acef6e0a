import { actionOperations } from './agents/action-trial.ts';
import { agentCopyOperations } from './agents/copy-operations.ts';
import { agentExchangeOperations } from './agents/exchange-operations.ts';
import { unlockRequestOperations } from './agents/lock-operations.ts';
import { agentsOperations } from './agents/operations.ts';
import { agentPictureOperations } from './agents/picture-operations.ts';
import { agentVersionOperations } from './agents/version-operations.ts';
import { analyticsOperations } from './analytics/operations.ts';
import { approvalsOperations } from './approvals/operations.ts';
import { auditOperations } from './audit/operations.ts';
import { budgetsOperations } from './budgets/operations.ts';
import { channelsOperations } from './channels/operations.ts';
import { completionsOperations } from './completions/operations.ts';
import { conversationFilesOperations } from './conversation-files/operations.ts';
import { conversationAccessOperations } from './conversations/access-operations.ts';
import { branchOperations } from './conversations/branch-operations.ts';
import { conversationBulkOperations } from './conversations/bulk-operations.ts';
import { conversationContinueOperations } from './conversations/continue-operations.ts';
import { conversationCopyOperations } from './conversations/copy-operations.ts';
import { conversationMarkOperations } from './conversations/mark-operations.ts';
import { conversationsOperations } from './conversations/operations.ts';
import { conversationShareOperations } from './conversations/share-operations.ts';
import { deploymentsOperations } from './deployments/operations.ts';
import { evaluationCaseOperations } from './evaluations/case-operations.ts';
import { publishGateOperations } from './evaluations/gate-operations.ts';
import { evaluationsOperations } from './evaluations/operations.ts';
import { eventsOperations } from './events/operations.ts';
import { feedbackOperations } from './feedback/operations.ts';
import { filesOperations } from './files/operations.ts';
import { uploadOperations } from './files/upload-operations.ts';
import { formFieldsOperations } from './form-fields/operations.ts';
import { identityProviderOperations } from './identity-providers/operations.ts';
import { insightsOperations } from './insights/operations.ts';
import { keysOperations } from './keys/operations.ts';
import { changeDocuments } from './knowledge-bases/bulk-operations.ts';
import { documentOperations } from './knowledge-bases/document-operations.ts';
import { folderOperations } from './knowledge-bases/folder-operations.ts';
import { knowledgeBasesOperations } from './knowledge-bases/operations.ts';
import { passageOperations } from './knowledge-bases/passage-operations.ts';
import { searchOperations } from './knowledge-bases/search-operations.ts';
import { siteOperations } from './knowledge-bases/sites/site-operations.ts';
import { documentTextOperations } from './knowledge-bases/text-operations.ts';
import { mcpOperations } from './mcp/operations.ts';
import { mcpProgramOperations } from './mcp/program-operations.ts';
import { memoryOperations } from './memories/operations.ts';
import { modelOperations } from './models/operations.ts';
import { providerOperations } from './models/provider-operations.ts';
import { notificationsOperations } from './notifications/operations.ts';
import type { Operation } from './operation.ts';
import { peopleOperations } from './people/operations.ts';
import { personalDataOperations } from './personal-data/operations.ts';
import { preferencesOperations } from './preferences/operations.ts';
import { rolesOperations } from './roles/operations.ts';
import { messageOperations } from './runs/operations.ts';
import { publicConversationOperations } from './runs/public-operations.ts';
import { runOperations } from './runs/run-operations.ts';
import { toolCallOperations } from './runs/tool-call-operations.ts';
import { guardrailOperations } from './safety/guardrail-operations.ts';
import { safetyOperations } from './safety/operations.ts';
import { sandboxesOperations } from './sandboxes/operations.ts';
import { scimOperations } from './scim/operations.ts';
import { scimTokenOperations } from './scim/token-operations.ts';
import { findOperations } from './search/operations.ts';
import { secondFactorOperations } from './second-factors/operations.ts';
import { serviceAccountsOperations } from './service-accounts/operations.ts';
import { sessionsOperations } from './sessions/operations.ts';
import { systemOperations } from './system/operations.ts';
import { columnOperations } from './tables/column-operations.ts';
import { tableExchangeOperations } from './tables/exchange/operations.ts';
import { historyOperations } from './tables/history-operations.ts';
import { tableQueryOperations } from './tables/query/operations.ts';
import { rowOperations } from './tables/row-operations.ts';
import { tableOperations } from './tables/table-operations.ts';
import { tracesOperations } from './traces/operations.ts';
import { triggerHookOperations } from './triggers/hook-operations.ts';
import { triggersOperations } from './triggers/operations.ts';
import { userGroupOperations } from './user-groups/operations.ts';
import { usesOperations } from './uses/operations.ts';
import { variablesOperations } from './variables/operations.ts';
import { vaultOperations } from './vault/operations.ts';
import { webhooksOperations } from './webhooks/operations.ts';
import { workflowDraftOperations } from './workflows/draft-operations.ts';
import { workflowExchangeOperations } from './workflows/exchange-operations.ts';
import { workflowsOperations } from './workflows/operations.ts';
import { workflowRunOperations } from './workflows/run-operations.ts';
import { stepSampleOperations } from './workflows/sample-operations.ts';
import { workflowTrialOperations } from './workflows/trial-operations.ts';
import { workspacesOperations } from './workspaces/operations.ts';

/** The operations of each feature, in the order of the reference. */
const features = [
  conversationsOperations,
  branchOperations,
  conversationMarkOperations,
  conversationShareOperations,
  conversationCopyOperations,
  conversationContinueOperations,
  conversationBulkOperations,
  conversationAccessOperations,
  messageOperations,
  publicConversationOperations,
  approvalsOperations,
  toolCallOperations,
  auditOperations,
  completionsOperations,
  conversationFilesOperations,
  memoryOperations,
  modelOperations,
  providerOperations,
  guardrailOperations,
  safetyOperations,
  agentsOperations,
  agentCopyOperations,
  agentPictureOperations,
  actionOperations,
  agentVersionOperations,
  unlockRequestOperations,
  agentExchangeOperations,
  filesOperations,
  uploadOperations,
  variablesOperations,
  vaultOperations,
  tableOperations,
  columnOperations,
  rowOperations,
  historyOperations,
  tableExchangeOperations,
  tableQueryOperations,
  sandboxesOperations,
  mcpOperations,
  mcpProgramOperations,
  knowledgeBasesOperations,
  documentOperations,
  documentTextOperations,
  [changeDocuments],
  passageOperations,
  folderOperations,
  siteOperations,
  searchOperations,
  workflowsOperations,
  workflowTrialOperations,
  workflowDraftOperations,
  workflowExchangeOperations,
  stepSampleOperations,
  workflowRunOperations,
  runOperations,
  triggersOperations,
  triggerHookOperations,
  webhooksOperations,
  formFieldsOperations,
  usesOperations,
  deploymentsOperations,
  channelsOperations,
  feedbackOperations,
  insightsOperations,
  analyticsOperations,
  tracesOperations,
  evaluationsOperations,
  evaluationCaseOperations,
  publishGateOperations,
  eventsOperations,
  workspacesOperations,
  budgetsOperations,
  systemOperations,
  findOperations,
  sessionsOperations,
  preferencesOperations,
  notificationsOperations,
  personalDataOperations,
  peopleOperations,
  userGroupOperations,
  identityProviderOperations,
  scimTokenOperations,
  scimOperations,
  secondFactorOperations,
  keysOperations,
  serviceAccountsOperations,
  rolesOperations,
] as const;

/** Every operation of the API. */
export const operations: readonly Operation[] = (features as readonly (readonly Operation[])[]).flat();

/** Each operation with its id and its schemas: clients take their types from it. */
export type ApiOperation = (typeof features)[number][number];
