import { defineRoute, type Route } from '../../lib/route.ts';
import type { RunApprovals } from './approvals.ts';
import type { CallbackKeys } from './callback-key.ts';
import type { WorkflowRuns } from './runs.ts';
import {
  approval,
  approvalDecision,
  approvalParams,
  approvals,
  approvalsParams,
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

/** Older clients write the last word in the singular. */
const get = (route: `GET /${string}`, summary: string, runs: WorkflowRuns): Route =>
  defineRoute({
    route,
    summary,
    tag,
    permission,
    params: workflowRunParams,
    answer: workflowRun,
    handler: (scope, { params }) => runs.getOf(scope, params.workflow_id, params.run_id),
  });

export const workflowRunRoutes = (runs: WorkflowRuns, asked: RunApprovals, keys: CallbackKeys): Route[] => [
  defineRoute({
    route: 'POST /v1/workflows/{workflow_id}/runs',
    summary: 'Start a run; answers at once',
    tag,
    permission,
    params: workflowParams,
    body: runCreate,
    example,
    answer: workflowRun,
    handler: (scope, { params, body }) => runs.start(scope, params.workflow_id, body),
  }),
  defineRoute({
    route: 'POST /v1/workflows/{workflow_id}/runs/sync',
    summary: 'Start a run and wait for its end, at most two minutes; with output_only, 409 where it has no output',
    tag,
    permission,
    params: workflowParams,
    query: syncQuery,
    body: runCreate,
    example,
    answer: syncAnswer,
    handler: (scope, { params, body, query }) => runs.sync(scope, params.workflow_id, body, query),
  }),
  defineRoute({
    route: 'GET /v1/workflows/{workflow_id}/runs',
    summary: 'List the runs of a workflow, the latest first',
    tag,
    permission,
    params: workflowParams,
    query: runListQuery,
    answer: workflowRunPage,
    handler: (scope, { params, query }) => runs.list(scope, params.workflow_id, query),
  }),
  get('GET /v1/workflows/{workflow_id}/runs/{run_id}', 'Get a run of a workflow', runs),
  get('GET /v1/workflows/{workflow_id}/run/{run_id}', 'Get a run of a workflow, as older clients ask', runs),
  defineRoute({
    route: 'GET /v1/runs/{run_id}/approvals',
    summary: 'List what a run has asked people',
    tag,
    permission,
    params: approvalsParams,
    answer: approvals,
    handler: (scope, { params }) => asked.list(scope, params.run_id),
  }),
  defineRoute({
    route: 'POST /v1/runs/{run_id}/approvals/{approval_id}',
    summary: 'Approve or reject; the run goes on',
    tag,
    permission,
    params: approvalParams,
    body: approvalDecision,
    example: { decision: 'approve', note: 'Looks good' },
    answer: approval,
    handler: (scope, { params, body }) => asked.decide(scope, params.run_id, params.approval_id, body),
  }),
  defineRoute({
    route: 'GET /v1/workflows/callback-secret',
    summary: 'Get the secret that callbacks of the workspace are signed with',
    tag,
    permission: 'flows_advanced',
    answer: callbackSecret,
    handler: async (scope) => ({ secret: await keys(scope.workspace_id) }),
  }),
];
