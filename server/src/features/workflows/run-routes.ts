import { handle, type Route } from '../../lib/route.ts';
import type { RunApprovals } from './approvals.ts';
import type { CallbackKeys } from './callback-key.ts';
import {
  decideRunApproval,
  getCallbackSecret,
  getWorkflowRun,
  getWorkflowRunAlias,
  listRunApprovals,
  listWorkflowRuns,
  startWorkflowRun,
  startWorkflowRunAndWait,
} from './run-operations.ts';
import type { WorkflowRuns } from './runs.ts';

export const workflowRunRoutes = (runs: WorkflowRuns, asked: RunApprovals, keys: CallbackKeys): Route[] => [
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
