import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

const text = s.str({ min: 1, max: 20_000 });

/** What a tool answered when it was really called. */
const recordedCall = s.object({
  name: s.str({ min: 1, max: 200 }),
  input: s.optional(z.unknown()),
  output: s.optional(z.unknown()),
  is_error: s.withDefault(s.bool(), false),
});

const evaluationCase = s
  .object({
    name: s.optional(s.str({ max: 200 })),
    /** What the user says, turn by turn. */
    messages: s.list(text, { min: 1, max: 50 }),
    /** What the last answer should say, and how strictly. */
    expected: s.optional(text),
    match: s.withDefault(s.oneOf(['exact', 'contains', 'similar']), 'similar'),
    /** What a judge looks for in it. */
    criteria: s.optional(text),
    /** Titles or addresses that it should stand on. */
    citations: s.optional(s.list(s.str({ min: 1, max: 2000 }), { max: 50 })),
    tools: s.optional(s.list(recordedCall, { max: 200 })),
  })
  .meta({ id: 'EvaluationCase' });

const cases = s.list(evaluationCase, { max: 1000 });
export const evaluationCreate = s
  .object({
    name: s.str({ min: 1, max: 200 }),
    agent_id: s.uuid('agent'),
    cases: s.optional(cases),
    /** Conversations to make cases of, with what is private replaced. */
    conversation_ids: s.optional(s.list(s.uuid('conversation'), { max: 200 })),
  })
  .meta({ id: 'EvaluationCreate' });
export const evaluationPatch = s
  .object({ name: s.optional(s.str({ min: 1, max: 200 })), cases: s.optional(cases) })
  .meta({ id: 'EvaluationPatch' });
export const evaluationRunCreate = s
  .object({ version_id: s.optional(s.uuid('agent_version')) })
  .meta({ id: 'EvaluationRunCreate' });

const answerCase = z.looseObject({ messages: z.array(z.string()) });
export const evaluation = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    agent_id: z.guid(),
    name: z.string(),
    cases: z.array(answerCase),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Evaluation' });

const score = z.number().min(0).max(1).nullable();
export const caseResult = z
  .strictObject({
    position: z.int(),
    name: z.string(),
    answer: z.string(),
    passed: z.boolean(),
    /** Null: it was not asked for, or there was nobody to judge. */
    scores: z.strictObject({ expected: score, judge: score, citations: score }),
    reason: z.string().nullable(),
    tool_calls: z.array(z.strictObject({ name: z.string(), recorded: z.boolean() })),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost: z.number().nullable(),
    ms: z.int(),
    error: z.string().nullable(),
  })
  .meta({ id: 'EvaluationResult' });

const summary = z.strictObject({
  cases: z.int(),
  done: z.int(),
  passed: z.int(),
  errors: z.int(),
  scores: z.strictObject({ expected: score, judge: score, citations: score }),
  tokens: z.int(),
  cost: z.number().nullable(),
  /** On average, of a case. */
  ms: z.number().nullable(),
});

const runFields = {
  id: z.guid(),
  group_id: z.guid(),
  evaluation_id: z.guid(),
  version_id: z.guid(),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  error: z.string().nullable(),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
};
export const evaluationRun = z
  .strictObject({ ...runFields, summary, results: z.array(caseResult) })
  .meta({ id: 'EvaluationRun' });
const evaluationRunItem = z.strictObject(runFields).meta({ id: 'EvaluationRunItem' });

export const evaluationReport = z
  .strictObject({
    from: z.strictObject({ run_id: z.guid(), version_id: z.guid(), summary }),
    to: z.strictObject({ run_id: z.guid(), version_id: z.guid(), summary }),
    better: z.int(),
    worse: z.int(),
    same: z.int(),
    cases: z.array(
      z.strictObject({
        position: z.int(),
        name: z.string(),
        change: z.enum(['better', 'worse', 'same']),
        from: caseResult,
        to: caseResult,
        cost: z.number().nullable(),
        ms: z.int(),
      }),
    ),
  })
  .meta({ id: 'EvaluationReport' });

export const evaluationParams = s.object({ evaluation_id: s.uuid('evaluation') });
export const evaluationRunParams = s.object({
  evaluation_id: s.uuid('evaluation'),
  evaluation_run_id: s.uuid('evaluation_run'),
});
export const evaluationListQuery = s.query({ ...pageFields, agent_id: s.optional(s.uuid('agent')) });
export const evaluationRunListQuery = s.query({ ...pageFields });
export const reportQuery = s.query({ from: s.uuid('evaluation_run'), to: s.uuid('evaluation_run') });
export const evaluationPage = paged(evaluation);
export const evaluationRunPage = paged(evaluationRunItem);

export type EvaluationCase = z.output<typeof evaluationCase>;
export type EvaluationCreate = z.output<typeof evaluationCreate>;
export type EvaluationPatch = z.output<typeof evaluationPatch>;
export type Evaluation = z.output<typeof evaluation>;
export type EvaluationRun = z.output<typeof evaluationRun>;
export type EvaluationRunItem = z.output<typeof evaluationRunItem>;
export type EvaluationReport = z.output<typeof evaluationReport>;
export type CaseResult = z.output<typeof caseResult>;
export type Summary = z.output<typeof summary>;
