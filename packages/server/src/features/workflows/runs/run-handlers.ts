import {
  decideRunApproval,
  getCallbackSecret,
  getWorkflowRun,
  getWorkflowRunAlias,
  listRunApprovals,
  listWorkflowRuns,
  startWorkflowRun,
  startWorkflowRunAndWait,
} from '@atrium/contract/workflows/run-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { WorkflowApprovals } from '../../approvals/workflow-approvals.ts';
import type { CallbackKeys } from './callback-keys.ts';
import type { WorkflowRuns } from './workflow-runs.ts';

export const workflowRunRoutes = (runs: WorkflowRuns, asked: WorkflowApprovals, keys: CallbackKeys): Route[] => [
  handle(startWorkflowRun, (scope, { params, body }) => runs.start(scope, params.workflow_id, body)),
  handle(startWorkflowRunAndWait, (scope, { params, body, query }) =>
    runs.sync(scope, params.workflow_id, body, query),
  ),
  handle(listWorkflowRuns, (scope, { params, query }) => runs.list(scope, params.workflow_id, query)),
  handle(getWorkflowRun, (scope, { params }) => runs.getOf(scope, params.workflow_id, params.run_id)),
  handle(getWorkflowRunAlias, (scope, { params }) => runs.getOf(scope, params.workflow_id, params.run_id)),
  handle(listRunApprovals, (scope, { params }) => asked.list(scope, params.run_id)),
  handle(decideRunApproval, (scope, { params, body }) => asked.decide(scope, params.run_id, params.approval_id, body)),
  handle(getCallbackSecret, async (scope) => ({ secret: await keys(scope.workspace_id) })),
];
