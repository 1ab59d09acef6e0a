import {
  createEvaluation,
  deleteEvaluation,
  getEvaluation,
  getEvaluationReport,
  getEvaluationRun,
  listEvaluationRuns,
  listEvaluations,
  startEvaluationRun,
  updateEvaluation,
} from '@atrium/contract/evaluations/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Evaluations } from './service.ts';

export const evaluationRoutes = (evaluations: Evaluations): Route[] => [
  handle(createEvaluation, (scope, { body }) => evaluations.create(scope, body)),
  handle(listEvaluations, (scope, { query }) => evaluations.list(scope, query)),
  handle(getEvaluation, (scope, { params }) => evaluations.get(scope, params.evaluation_id)),
  handle(updateEvaluation, (scope, { params, body }) => evaluations.update(scope, params.evaluation_id, body)),
  handle(deleteEvaluation, async (scope, { params }) => {
    await evaluations.remove(scope, params.evaluation_id);
    return done;
  }),
  handle(startEvaluationRun, (scope, { params, body }) => evaluations.start(scope, params.evaluation_id, body)),
  handle(listEvaluationRuns, (scope, { params, query }) => evaluations.runs(scope, params.evaluation_id, query)),
  handle(getEvaluationRun, (scope, { params }) =>
    evaluations.findRun(scope, params.evaluation_id, params.evaluation_run_id),
  ),
  handle(getEvaluationReport, (scope, { params, query }) =>
    evaluations.report(scope, params.evaluation_id, query.from, query.to),
  ),
];
