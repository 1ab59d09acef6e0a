import {
  createCaseFromMessage,
  createEvaluationCase,
  deleteEvaluationCase,
  deleteEvaluationMark,
  getEvaluationCase,
  listEvaluationCases,
  releaseEvaluationCase,
  setEvaluationMark,
  updateEvaluationCase,
} from '@atrium/contract/evaluations/case-operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { EvaluationCases } from './cases.ts';
import type { EvaluationMarks } from './marks.ts';

export const evaluationCaseRoutes = (cases: EvaluationCases, marks: EvaluationMarks): Route[] => [
  handle(listEvaluationCases, (scope, { params, query }) => cases.list(scope, params.evaluation_id, query)),
  handle(createEvaluationCase, (scope, { params, body }) => cases.create(scope, params.evaluation_id, body)),
  handle(createCaseFromMessage, (scope, { params, body }) =>
    cases.createFromMessage(scope, params.evaluation_id, body),
  ),
  handle(getEvaluationCase, (scope, { params }) => cases.get(scope, params.evaluation_id, params.case_id)),
  handle(updateEvaluationCase, (scope, { params, body }) =>
    cases.update(scope, params.evaluation_id, params.case_id, body),
  ),
  handle(releaseEvaluationCase, (scope, { params }) => cases.release(scope, params.evaluation_id, params.case_id)),
  handle(deleteEvaluationCase, async (scope, { params }) => {
    await cases.remove(scope, params.evaluation_id, params.case_id);
    return done;
  }),
  handle(setEvaluationMark, (scope, { params, body }) => marks.set(scope, params, body)),
  handle(deleteEvaluationMark, async (scope, { params }) => {
    await marks.remove(scope, params);
    return done;
  }),
];
