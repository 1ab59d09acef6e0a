import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { evaluationsRoutes } from './routes.ts';
import {
  evaluation,
  evaluationCreate,
  evaluationListQuery,
  evaluationPage,
  evaluationParams,
  evaluationPatch,
  evaluationReport,
  evaluationRun,
  evaluationRunCreate,
  evaluationRunListQuery,
  evaluationRunPage,
  evaluationRunParams,
  reportQuery,
} from './schema.ts';

const tag = 'Evaluations';

const params = evaluationParams;

export const createEvaluation = operation({
  id: 'evaluations.create',
  route: evaluationsRoutes['evaluations.create'],
  summary: 'Create an evaluation: a set of cases for an agent',
  description:
    'Stores cases to try versions of an agent with: questions with the expected answer, or conversations that became cases. Personal data is replaced in cases made from conversations. Nothing is run yet.',
  tag,
  permission: 'conversations_read',
  body: evaluationCreate,
  example: {
    name: 'Refunds',
    agent_id: '00000000-0000-7000-8000-000000000000',
    cases: [{ messages: ['How long does a refund take?'], expected: 'five days', match: 'contains' }],
  },
  answer: evaluation,
});

export const listEvaluations = operation({
  id: 'evaluations.list',
  route: evaluationsRoutes['evaluations.list'],
  summary: 'List the evaluations of the workspace',
  description: 'Returns the evaluations page by page, the newest first.',
  tag,
  permission: 'insights_read',
  query: evaluationListQuery,
  answer: evaluationPage,
});

export const getEvaluation = operation({
  id: 'evaluations.get',
  route: evaluationsRoutes['evaluations.get'],
  summary: 'Get an evaluation',
  description: 'Returns an evaluation with all of its cases. Its runs are listed separately.',
  tag,
  permission: 'insights_read',
  params,
  answer: evaluation,
});

export const updateEvaluation = operation({
  id: 'evaluations.update',
  route: evaluationsRoutes['evaluations.update'],
  summary: 'Update an evaluation',
  description: 'Changes the name or replaces the whole list of cases. Runs keep the cases that they began with.',
  tag,
  permission: 'agents_edit',
  params,
  body: evaluationPatch,
  example: { name: 'Refunds and returns' },
  answer: evaluation,
});

export const deleteEvaluation = operation({
  id: 'evaluations.delete',
  route: evaluationsRoutes['evaluations.delete'],
  summary: 'Delete an evaluation and its runs',
  description:
    'Deletes an evaluation with its runs and their results. This cannot be undone. One that an agent must pass is kept: 409 `evaluation_in_use`.',
  tag,
  permission: 'agents_edit',
  params,
  answer: success,
});

export const startEvaluationRun = operation({
  id: 'evaluationRuns.start',
  route: evaluationsRoutes['evaluationRuns.start'],
  summary: 'Try a version of the agent with the cases',
  description:
    'Starts a run in the background and answers at once. The model is called and costs tokens, but no conversation is made. Tools answer from the recordings of the case; without a recording, those that only read knowledge bases and tables are called with the permissions of the caller (`kbs_query`, `tables_read`), and no others. A version that is not published needs `agents_edit`.',
  tag,
  permission: 'agents_run',
  audit: { none: 'a run is work; it is listed with its own trace' },
  params,
  body: evaluationRunCreate,
  example: {},
  answer: evaluationRun,
});

export const listEvaluationRuns = operation({
  id: 'evaluationRuns.list',
  route: evaluationsRoutes['evaluationRuns.list'],
  summary: 'List the runs of an evaluation',
  description: 'Returns the runs of an evaluation page by page, the newest first, without their results.',
  tag,
  permission: 'insights_read',
  params,
  query: evaluationRunListQuery,
  answer: evaluationRunPage,
});

export const getEvaluationRun = operation({
  id: 'evaluationRuns.get',
  route: evaluationsRoutes['evaluationRuns.get'],
  summary: 'Get a run of an evaluation',
  description: 'Returns a run with its summary and the result of each case that is done.',
  tag,
  permission: 'insights_read',
  params: evaluationRunParams,
  answer: evaluationRun,
});

export const getEvaluationReport = operation({
  id: 'evaluations.report',
  route: evaluationsRoutes['evaluations.report'],
  summary: 'Compare two runs of an evaluation',
  description:
    'Compares two runs case by case: which became better or worse, and what that cost. Only cases that are done in both runs are compared.',
  tag,
  permission: 'insights_read',
  params,
  query: reportQuery,
  answer: evaluationReport,
});

export const evaluationsOperations = [
  createEvaluation,
  listEvaluations,
  getEvaluation,
  updateEvaluation,
  deleteEvaluation,
  startEvaluationRun,
  listEvaluationRuns,
  getEvaluationRun,
  getEvaluationReport,
];
