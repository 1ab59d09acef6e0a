import { operation } from '../operation.ts';
import { budgetReached, conflicts, noSuch, refused } from '../operation-errors.ts';
import { workflowsRoutes } from './routes.ts';
import {
  callbackSecret,
  runCreate,
  runListQuery,
  syncAnswer,
  syncQuery,
  workflowParams,
  workflowRun,
  workflowRunPage,
  workflowRunParams,
} from './schema.ts';

const tag = 'Workflows';

const permission = 'flows_run';

const example = { input: { Author: 'Ada' } };

export const startWorkflowRun = operation({
  id: 'workflowRuns.start',
  route: workflowsRoutes['workflowRuns.start'],
  summary: 'Start a run of a workflow',
  description:
    'Starts a run and answers at once. An input that is missing, has the wrong type or is unknown to the workflow is refused with 422 before the run; a fixed value counts as given. Follow the run with `GET /v1/runs/{run_id}/events` or ask for a callback. With an Idempotency-Key a repeated request answers the first run. When no slot is free the run is queued.',
  tag,
  permission,
  audit: { none: 'a run is work; it is listed with its own trace' },
  params: workflowParams,
  body: runCreate,
  example,
  errors: [
    refused('forbidden', 'The caller lacks `flows_edit`, which `pinned_outputs`, `use_samples` and `draft` need.'),
    noSuch('workflow or version, or it has no draft'),
    conflicts('workflow_invalid', 'The definition was stored with `force` and has validation errors.'),
    budgetReached,
  ],
  answer: workflowRun,
});

export const startWorkflowRunAndWait = operation({
  id: 'workflowRuns.startAndWait',
  route: workflowsRoutes['workflowRuns.startAndWait'],
  summary: 'Start a run of a workflow and wait for its end',
  description:
    'Starts a run and answers when it is over or waits for an approval, at the latest after 118 seconds; the run then goes on. With `output_only` a run without an output is answered with 409 and the reason.',
  tag,
  permission,
  audit: { none: 'a run is work; it is listed with its own trace' },
  params: workflowParams,
  query: syncQuery,
  body: runCreate,
  example,
  errors: [
    refused('forbidden', 'The caller lacks `flows_edit`, which `pinned_outputs`, `use_samples` and `draft` need.'),
    noSuch('workflow or version, or it has no draft'),
    conflicts('workflow_invalid', 'The definition was stored with `force` and has validation errors.'),
    conflicts('run_failed', 'With `output_only`: the run failed.'),
    conflicts('run_stopped', 'With `output_only`: the run was stopped.'),
    conflicts('awaiting_human_feedback', 'With `output_only`: the run waits for an approval.'),
    conflicts('run_in_progress', 'With `output_only`: the run goes on after the longest wait.'),
    budgetReached,
  ],
  answer: syncAnswer,
});

export const listWorkflowRuns = operation({
  id: 'workflowRuns.list',
  route: workflowsRoutes['workflowRuns.list'],
  summary: 'List the runs of a workflow',
  description: 'Returns the runs of a workflow page by page, the latest first.',
  tag,
  permission,
  params: workflowParams,
  query: runListQuery,
  errors: [noSuch('workflow')],
  answer: workflowRunPage,
});

export const getWorkflowRun = operation({
  id: 'workflowRuns.get',
  route: workflowsRoutes['workflowRuns.get'],
  summary: 'Get a run of a workflow',
  description: 'Returns a run with its progress, its logs and, once it has completed, its output.',
  tag,
  permission,
  params: workflowRunParams,
  errors: [noSuch('run')],
  answer: workflowRun,
});

export const getWorkflowRunAlias = operation({
  id: 'workflowRuns.getAlias',
  route: workflowsRoutes['workflowRuns.getAlias'],
  summary: 'Get a run of a workflow (older path)',
  description:
    'Returns the same as `GET /v1/workflows/{workflow_id}/runs/{run_id}`, for clients that use the older path.',
  tag,
  permission,
  params: workflowRunParams,
  errors: [noSuch('run')],
  answer: workflowRun,
});

export const getCallbackSecret = operation({
  id: 'workflows.getCallbackSecret',
  route: workflowsRoutes['workflows.getCallbackSecret'],
  summary: 'Get the secret that callbacks of the workspace are signed with',
  description:
    'Returns the secret, which is made when it is first needed. Receivers of callbacks check the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` with it.',
  tag,
  permission: 'flows_advanced',
  answer: callbackSecret,
});

export const workflowRunOperations = [
  startWorkflowRun,
  startWorkflowRunAndWait,
  listWorkflowRuns,
  getWorkflowRun,
  getWorkflowRunAlias,
  getCallbackSecret,
];
