import * as z from 'zod';
import { actorField } from '../actor.ts';
import * as s from '../schema/schema.ts';

/** What a person thinks of the result of a case. */
export const evaluationMark = z
  .strictObject({
    passed: z.boolean().describe('Whether the answer is good enough.'),
    note: z.string().nullable().describe('Why. Null: no reason was given.'),
    marked_by: z.guid().describe('The id of the person or API key that marked the result.'),
    marked_by_actor: actorField('Who marked the result.'),
    marked_at: z.iso.datetime().describe('When it was marked, or the mark last changed (ISO 8601, UTC).'),
  })
  .meta({ id: 'EvaluationMark' });
export type EvaluationMark = z.output<typeof evaluationMark>;

export const evaluationMarkBody = s
  .object({
    passed: s.bool().describe('Whether the answer is good enough.'),
    note: s.optional(s.str({ max: 2000 })).describe('Why.'),
  })
  .meta({ id: 'EvaluationMarkBody' });
export type EvaluationMarkBody = z.output<typeof evaluationMarkBody>;

export const evaluationMarkParams = s.object({
  evaluation_id: s.uuid('evaluation').describe('The id of the evaluation.'),
  evaluation_run_id: s.uuid('evaluation_run').describe('The id of the run.'),
  case_id: s.uuid('evaluation_case').describe('The id of the case whose result is marked.'),
});
