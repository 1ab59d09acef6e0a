import * as z from 'zod';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { namedList, timedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { facetsField, paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { answerCase, evaluationCase, hiddenField, mostCases } from './case-schema.ts';
import { evaluationMark } from './mark-schema.ts';

const cases = s.list(evaluationCase, { max: mostCases });
export const evaluationCreate = s
  .object({
    name: s.str({ min: 1, max: 200 }).describe('The name that people see.'),
    agent_id: s.uuid('agent').describe('The agent whose versions are tried.'),
    cases: s.optional(cases).describe('The cases.'),
    conversation_ids: s
      .optional(s.list(s.uuid('conversation'), { max: 200 }))
      .describe(
        'Conversations to make further cases of, with personal data replaced. Such a case is read by those who may read its conversation, and deleted with it, until it is released.',
      ),
  })
  .meta({ id: 'EvaluationCreate' });
export const evaluationPatch = s
  .object({
    name: s.optional(s.str({ min: 1, max: 200 })).describe('The name that people see.'),
    cases: s.optional(cases).describe('The cases, which replace all cases before.'),
  })
  .meta({ id: 'EvaluationPatch' });
export const evaluationRunCreate = s
  .object({
    version_id: s
      .optional(s.uuid('agent_version'))
      .describe('The version of the agent to try; the published one unless given.'),
    draft: s
      .withDefault(s.bool(), false)
      .describe('True tries the draft as it is now, in place of a version. It needs `agents_edit`.'),
  })
  .meta({ id: 'EvaluationRunCreate' });

export const evaluation = z
  .strictObject({
    id: z.guid().describe('The id of the evaluation.'),
    group_id: groupId,
    agent_id: z.guid().describe('The agent whose versions are tried.'),
    name: z.string().describe('The name that people see.'),
    cases: z.array(answerCase).describe('The cases, in the order in which they are tried.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
    may: mayField('evaluation'),
  })
  .meta({ id: 'Evaluation' });

const score = z.number().min(0).max(1).nullable();
const scoreFields = {
  expected: score.describe('How well the answer matches `expected`, from 0 to 1. Null: nothing was expected.'),
  judge: score.describe('The grade of the judge, from 0 to 1. Null: no criteria, or no model to judge.'),
  citations: score.describe('The share of the expected citations that were named. Null: none were expected.'),
};
export const caseResult = z
  .strictObject({
    position: z.int().describe('The position of the case, from 0.'),
    case_id: z.guid().describe('The id of the case.'),
    name: z.string().describe('The name of the case.'),
    hidden: hiddenField,
    answer: z.string().describe('The last answer of the agent; empty when the case failed.'),
    passed: z
      .boolean()
      .describe('Whether there was no error and every score reached its limit: 0.5 expected, 0.6 judge, 1 citations.'),
    scores: z.strictObject(scoreFields).describe('The scores of the answer.'),
    reason: z.string().nullable().describe('The reason that the judge gave. Null: it was not asked.'),
    tool_calls: z
      .array(
        z.strictObject({
          name: z.string().describe('The name of the tool.'),
          recorded: z.boolean().describe('Whether there was a recording to answer with.'),
          live: z
            .boolean()
            .optional()
            .describe('True when there was none and the tool, which only reads, was really called.'),
        }),
      )
      .describe('The tools that the agent called, in order.'),
    input_tokens: z.int().describe('Tokens that the model read.'),
    output_tokens: z.int().describe('Tokens that the model wrote.'),
    cost: z.number().nullable().describe('The cost of the model calls, in US dollars. Null: no price is known.'),
    ms: z.int().describe('How long the agent took, in milliseconds.'),
    error: z.string().nullable().describe('Why the case, or its judge, failed. Null: it did not.'),
    marks: z
      .array(evaluationMark)
      .describe('What people think of the answer, the newest first. `passed` stays what the machine found.'),
  })
  .meta({ id: 'EvaluationResult' });

const summary = z.strictObject({
  cases: z.int().describe('How many cases the run has.'),
  done: z.int().describe('How many cases are done.'),
  passed: z.int().describe('How many cases have passed.'),
  errors: z.int().describe('How many cases have an error.'),
  marked: z.int().describe('How many cases a person has marked.'),
  disputed: z.int().describe('How many cases have a newest mark that differs from `passed`.'),
  scores: z.strictObject(scoreFields).describe('The average of each score over the cases that have it.'),
  tokens: z.int().describe('Tokens that the model read and wrote in all cases.'),
  cost: z.number().nullable().describe('The cost of all cases, in US dollars. Null: no price is known.'),
  ms: z.number().nullable().describe('The average time of a case, in milliseconds. Null: no case is done.'),
});

const runFields = {
  id: z.guid().describe('The id of the run.'),
  group_id: groupId,
  evaluation_id: z.guid().describe('The evaluation that the run belongs to.'),
  version_id: z
    .guid()
    .nullable()
    .describe('The version of the agent that is tried. Null: settings that were no version, such as a draft.'),
  status: z
    .enum(['queued', 'running', 'completed', 'failed'])
    .describe('Where the run stands; a run with failed cases still completes.'),
  error: z.string().nullable().describe('Why the run failed as a whole. Null: it did not.'),
  created_at: createdAt,
  started_at: z.iso.datetime().nullable().describe('When the run began. Null: it is queued.'),
  finished_at: z.iso.datetime().nullable().describe('When the run ended. Null: it is not over.'),
};
export const evaluationRun = z
  .strictObject({
    ...runFields,
    summary: summary.describe('The cases that are done, together.'),
    results: z.array(caseResult).describe('The result of each case that is done.'),
  })
  .meta({ id: 'EvaluationRun' });
const evaluationRunItem = z.strictObject(runFields).meta({ id: 'EvaluationRunItem' });

const side = z.strictObject({
  run_id: z.guid().describe('The id of the run.'),
  version_id: z.guid().nullable().describe('The version of the agent that was tried. Null: a draft.'),
  summary: summary.describe('The cases that are done, together.'),
});

export const evaluationReport = z
  .strictObject({
    from: side.describe('The run that is compared with.'),
    to: side.describe('The run that is looked at.'),
    better: z.int().describe('How many cases became better.'),
    worse: z.int().describe('How many cases became worse.'),
    same: z.int().describe('How many cases stayed the same.'),
    dearer: z.int().describe('How many cases became dearer.'),
    cheaper: z.int().describe('How many cases became cheaper.'),
    slower: z.int().describe('How many cases became slower.'),
    faster: z.int().describe('How many cases became faster.'),
    cases: z
      .array(
        z.strictObject({
          position: z.int().describe('The position of the case in the second run, from 0.'),
          case_id: z.guid().describe('The id of the case, by which the runs are compared.'),
          case_changed: z.boolean().describe('Whether the case itself was changed between the two runs.'),
          name: z.string().describe('The name of the case.'),
          change: z
            .enum(['better', 'worse', 'same'])
            .describe('By whether the case passed; else by its average score, if that differs by 0.05 or more.'),
          from: caseResult.describe('The result in the first run.'),
          to: caseResult.describe('The result in the second run.'),
          cost: z.number().nullable().describe('How much more the second run cost, in US dollars. Null: not known.'),
          ms: z.int().describe('How much longer the second run took, in milliseconds.'),
          cost_change: z
            .enum(['dearer', 'cheaper', 'same'])
            .nullable()
            .describe('Whether the cost differs by a tenth or more. Null: not known.'),
          speed_change: z
            .enum(['slower', 'faster', 'same'])
            .describe('Whether the time differs by a fifth or more, and by 200 milliseconds or more.'),
        }),
      )
      .describe('The cases that are done in both runs.'),
  })
  .meta({ id: 'EvaluationReport' });

export const evaluationId = s.uuid('evaluation').describe('The id of the evaluation.');
export const evaluationParams = s.object({ evaluation_id: evaluationId });
export const evaluationRunParams = s.object({
  evaluation_id: evaluationId,
  evaluation_run_id: s.uuid('evaluation_run').describe('The id of the run.'),
});
export const evaluationListQuery = s.query({
  ...namedList(['name', 'created_at', 'updated_at']),
  agent_id: s.optional(s.uuid('agent')).describe('Only evaluations of this agent.'),
  facets: facetsField(),
});
export const evaluationRunListQuery = s.query(timedList());
export const reportQuery = s.query({
  from: s.uuid('evaluation_run').describe('The run to compare with.'),
  to: s.uuid('evaluation_run').describe('The run to look at.'),
});
export const evaluationPage = paged(
  evaluation,
  summaryOf(evaluation, ['id', 'agent_id', 'name', 'created_at', 'updated_at']),
);
export const evaluationRunPage = paged(
  evaluationRunItem,
  summaryOf(evaluationRunItem, ['id', 'version_id', 'status', 'error', 'created_at', 'started_at', 'finished_at']),
);

export type { AnswerCase, CaseOrigin, EvaluationCase, GivenCase } from './case-schema.ts';
export type EvaluationCreate = z.output<typeof evaluationCreate>;
export type EvaluationRunCreate = z.output<typeof evaluationRunCreate>;
export type EvaluationPatch = z.output<typeof evaluationPatch>;
export type Evaluation = z.output<typeof evaluation>;
export type EvaluationRun = z.output<typeof evaluationRun>;
export type EvaluationRunItem = z.output<typeof evaluationRunItem>;
export type EvaluationReport = z.output<typeof evaluationReport>;
export type CaseResult = z.output<typeof caseResult>;
/** A result as a run stores it; marks are stored by themselves, and the run knows the ids of its cases. */
export type StoredResult = Omit<CaseResult, 'case_id' | 'marks' | 'hidden'>;
export type Summary = z.output<typeof summary>;
