import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
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
import type { Evaluations } from './service.ts';

const tag = 'Evaluations';
const params = evaluationParams;

export const evaluationRoutes = (evaluations: Evaluations): Route[] => [
  defineRoute({
    route: 'POST /v1/evaluations',
    summary: 'Store a set of questions, or of conversations, to try versions of an agent with',
    tag,
    // Conversations of others can be taken along.
    permission: 'conversations_read',
    body: evaluationCreate,
    example: {
      name: 'Refunds',
      agent_id: '00000000-0000-7000-8000-000000000000',
      cases: [{ messages: ['How long does a refund take?'], expected: 'five days', match: 'contains' }],
    },
    answer: evaluation,
    handler: (scope, { body }) => evaluations.create(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/evaluations',
    summary: 'List evaluations, the latest first',
    tag,
    permission: 'insights_read',
    query: evaluationListQuery,
    answer: evaluationPage,
    handler: (scope, { query }) => evaluations.list(scope, query),
  }),
  defineRoute({
    route: 'GET /v1/evaluations/{evaluation_id}',
    summary: 'Get an evaluation',
    tag,
    permission: 'insights_read',
    params,
    answer: evaluation,
    handler: (scope, { params }) => evaluations.find(scope, params.evaluation_id),
  }),
  defineRoute({
    route: 'PATCH /v1/evaluations/{evaluation_id}',
    summary: 'Change an evaluation; its runs keep the cases they had',
    tag,
    permission: 'agents_edit',
    params,
    body: evaluationPatch,
    example: { name: 'Refunds and returns' },
    answer: evaluation,
    handler: (scope, { params, body }) => evaluations.update(scope, params.evaluation_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/evaluations/{evaluation_id}',
    summary: 'Delete an evaluation and its runs',
    tag,
    permission: 'agents_edit',
    params,
    answer: success,
    async handler(scope, { params }) {
      await evaluations.remove(scope, params.evaluation_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/evaluations/{evaluation_id}/runs',
    summary: 'Try a version of the agent with the set; no conversation is made and no tool is run',
    tag,
    permission: 'agents_run',
    params,
    body: evaluationRunCreate,
    example: {},
    answer: evaluationRun,
    handler: (scope, { params, body }) => evaluations.start(scope, params.evaluation_id, body.version_id),
  }),
  defineRoute({
    route: 'GET /v1/evaluations/{evaluation_id}/runs',
    summary: 'List the runs of an evaluation, the latest first',
    tag,
    permission: 'insights_read',
    params,
    query: evaluationRunListQuery,
    answer: evaluationRunPage,
    handler: (scope, { params, query }) => evaluations.runs(scope, params.evaluation_id, query),
  }),
  defineRoute({
    route: 'GET /v1/evaluations/{evaluation_id}/runs/{evaluation_run_id}',
    summary: 'Get a run of an evaluation, with the result of each case that is done',
    tag,
    permission: 'insights_read',
    params: evaluationRunParams,
    answer: evaluationRun,
    handler: (scope, { params }) => evaluations.findRun(scope, params.evaluation_id, params.evaluation_run_id),
  }),
  defineRoute({
    route: 'GET /v1/evaluations/{evaluation_id}/report',
    summary: 'What became better and worse from one run to another',
    tag,
    permission: 'insights_read',
    params,
    query: reportQuery,
    answer: evaluationReport,
    handler: (scope, { params, query }) => evaluations.report(scope, params.evaluation_id, query.from, query.to),
  }),
];
