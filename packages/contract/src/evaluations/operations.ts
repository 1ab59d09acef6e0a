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
  summary: 'Store a set of questions, or of conversations, to try versions of an agent with',
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
  summary: 'List evaluations, the latest first',
  tag,
  permission: 'insights_read',
  query: evaluationListQuery,
  answer: evaluationPage,
});

export const getEvaluation = operation({
  id: 'evaluations.get',
  route: evaluationsRoutes['evaluations.get'],
  summary: 'Get an evaluation',
  tag,
  permission: 'insights_read',
  params,
  answer: evaluation,
});

export const updateEvaluation = operation({
  id: 'evaluations.update',
  route: evaluationsRoutes['evaluations.update'],
  summary: 'Change an evaluation; its runs keep the cases they had',
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
  tag,
  permission: 'agents_edit',
  params,
  answer: success,
});

export const startEvaluationRun = operation({
  id: 'evaluationRuns.start',
  route: evaluationsRoutes['evaluationRuns.start'],
  summary: 'Try a version of the agent with the set; no conversation is made and no tool is run',
  tag,
  permission: 'agents_run',
  params,
  body: evaluationRunCreate,
  example: {},
  answer: evaluationRun,
});

export const listEvaluationRuns = operation({
  id: 'evaluationRuns.list',
  route: evaluationsRoutes['evaluationRuns.list'],
  summary: 'List the runs of an evaluation, the latest first',
  tag,
  permission: 'insights_read',
  params,
  query: evaluationRunListQuery,
  answer: evaluationRunPage,
});

export const getEvaluationRun = operation({
  id: 'evaluationRuns.get',
  route: evaluationsRoutes['evaluationRuns.get'],
  summary: 'Get a run of an evaluation, with the result of each case that is done',
  tag,
  permission: 'insights_read',
  params: evaluationRunParams,
  answer: evaluationRun,
});

export const getEvaluationReport = operation({
  id: 'evaluations.report',
  route: evaluationsRoutes['evaluations.report'],
  summary: 'What became better and worse from one run to another',
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
