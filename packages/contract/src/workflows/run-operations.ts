import { operation } from '../operation.ts';
import { workflowsRoutes } from './routes.ts';
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

export const startWorkflowRun = operation({
  id: 'workflowRuns.start',
  route: workflowsRoutes['workflowRuns.start'],
  summary: 'Start a run; answers at once',
  tag,
  permission,
  params: workflowParams,
  body: runCreate,
  example,
  answer: workflowRun,
});

export const startWorkflowRunAndWait = operation({
  id: 'workflowRuns.startAndWait',
  route: workflowsRoutes['workflowRuns.startAndWait'],
  summary: 'Start a run and wait for its end, at most two minutes; with output_only, 409 where it has no output',
  tag,
  permission,
  params: workflowParams,
  query: syncQuery,
  body: runCreate,
  example,
  answer: syncAnswer,
});

export const listWorkflowRuns = operation({
  id: 'workflowRuns.list',
  route: workflowsRoutes['workflowRuns.list'],
  summary: 'List the runs of a workflow, the latest first',
  tag,
  permission,
  params: workflowParams,
  query: runListQuery,
  answer: workflowRunPage,
});

export const getWorkflowRun = operation({
  id: 'workflowRuns.get',
  route: workflowsRoutes['workflowRuns.get'],
  summary: 'Get a run of a workflow',
  tag,
  permission,
  params: workflowRunParams,
  answer: workflowRun,
});

export const getWorkflowRunAlias = operation({
  id: 'workflowRuns.getAlias',
  route: workflowsRoutes['workflowRuns.getAlias'],
  summary: 'Get a run of a workflow, as older clients ask',
  tag,
  permission,
  params: workflowRunParams,
  answer: workflowRun,
});

export const listRunApprovals = operation({
  id: 'approvals.listOfRun',
  route: workflowsRoutes['approvals.listOfRun'],
  summary: 'List what a run has asked people',
  tag,
  permission,
  params: approvalsParams,
  answer: approvals,
});

export const decideRunApproval = operation({
  id: 'approvals.decideOfRun',
  route: workflowsRoutes['approvals.decideOfRun'],
  summary: 'Approve or reject; the run goes on',
  tag,
  permission,
  params: approvalParams,
  body: approvalDecision,
  example: { decision: 'approve', note: 'Looks good' },
  answer: approval,
});

export const getCallbackSecret = operation({
  id: 'workflows.getCallbackSecret',
  route: workflowsRoutes['workflows.getCallbackSecret'],
  summary: 'Get the secret that callbacks of the workspace are signed with',
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
  listRunApprovals,
  decideRunApproval,
  getCallbackSecret,
];
