import {
  getCallbackSecret,
  getWorkflowRun,
  getWorkflowRunAlias,
  listWorkflowRuns,
  startWorkflowRun,
  startWorkflowRunAndWait,
} from '@atrium/contract/workflows/run-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { CallbackKeys } from './callbacks/callback-keys.ts';
import type { WorkflowRuns } from './workflow-runs.ts';

export const workflowRunRoutes = (runs: WorkflowRuns, keys: CallbackKeys): Route[] => [
  handle(startWorkflowRun, (scope, { params, body }) => runs.start(scope, params.workflow_id, body)),
  handle(startWorkflowRunAndWait, (scope, { params, body, query }) =>
    runs.sync(scope, params.workflow_id, body, query),
  ),
  handle(listWorkflowRuns, (scope, { params, query }) => runs.list(scope, params.workflow_id, query)),
  handle(getWorkflowRun, (scope, { params }) => runs.getOf(scope, params.workflow_id, params.run_id)),
  handle(getWorkflowRunAlias, (scope, { params }) => runs.getOf(scope, params.workflow_id, params.run_id)),
  handle(getCallbackSecret, async (scope) => ({ secret: await keys(scope.workspace_id) })),
];
