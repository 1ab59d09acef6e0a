import * as z from 'zod';
import { etag } from '../fields.ts';
import { paged, pageFields, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';

const text = s.str({ min: 1, max: 20_000 });
/** An empty text takes the field away. */
const textOrEmpty = s.str({ max: 20_000 });
const matches = ['exact', 'contains', 'similar'] as const;
export const mostCases = 1000;

const recordedCall = s.object({
  name: s.str({ min: 1, max: 200 }).describe('The name of the tool.'),
  input: s
    .optional(z.unknown())
    .describe('The arguments of the recorded call; a call with the same ones gets its output.'),
  output: s.optional(z.unknown()).describe('The result of the recorded call.'),
  is_error: s.withDefault(s.bool(), false).describe('Whether the recorded call failed.'),
});

const name = s
  .optional(s.str({ max: 200 }))
  .describe('The name of the case; the start of the first message unless given.');
const messages = s.list(text, { min: 1, max: 50 });
const citations = s.optional(s.list(s.str({ min: 1, max: 2000 }), { max: 50 }));
const tools = s.optional(s.list(recordedCall, { max: 200 }));
const fields = {
  name,
  messages: messages.describe('The messages of the user, turn by turn.'),
  expected: s.optional(text).describe('What the last answer should say; without it, nothing is compared.'),
  match: s
    .withDefault(s.oneOf(matches), 'similar')
    .describe('How the last answer is compared with `expected`: equal, contained, or by the words they share.'),
  criteria: s.optional(text).describe('What a model that judges the last answer looks for; without it, none judges.'),
  citations: citations.describe('Titles or addresses that the answer, or the sources of its tools, should name.'),
  tools: tools.describe(
    'Recorded tool calls. Without a recording, tools that only read knowledge bases and tables are called, and calls of all others get an error as their result.',
  ),
};

export const evaluationCaseCreate = s.object(fields).meta({ id: 'EvaluationCaseCreate' });
export const caseOrigins = ['written', 'conversation', 'released', 'unknown'] as const;
/** Fields of answers that a client sends back with a list of cases. */
const echoed = {
  origin: s.optional(s.oneOf(caseOrigins)).describe('As it was read; a case keeps its origin.'),
  hidden: s.optional(s.str().nullable()).describe('As it was read; it changes nothing.'),
  conversation_id: s.optional(s.str()).describe('As it was read; it changes nothing.'),
  released_at: s.optional(s.str()).describe('As it was read; it changes nothing.'),
};
/** A case in a whole list of cases. */
export const evaluationCase = s
  .object({
    id: s
      .optional(s.str({ max: 100 }))
      .describe('The id of a case of this evaluation, which it keeps; every other case gets a new one.'),
    ...fields,
    ...echoed,
    messages: s
      .list(text, { max: 50 })
      .describe(
        'The messages of the user, turn by turn; none in a case that the caller may not read, which stays as it is.',
      ),
  })
  .meta({ id: 'EvaluationCase' });

export const evaluationCasePatch = s
  .object({
    name,
    messages: s.optional(messages).describe('The messages of the user, turn by turn.'),
    expected: s.optional(textOrEmpty).describe('What the last answer should say; an empty text takes it away.'),
    match: s.optional(s.oneOf(matches)).describe('How the last answer is compared with `expected`.'),
    criteria: s.optional(textOrEmpty).describe('What a judge looks for; an empty text takes it away.'),
    citations: citations.describe('Titles or addresses that the answer should name; an empty list takes them away.'),
    tools: tools.describe('Recorded tool calls; an empty list takes them away.'),
  })
  .meta({ id: 'EvaluationCasePatch' });

export const caseFromMessage = s
  .object({
    conversation_id: s
      .optional(s.uuid('conversation'))
      .describe('The conversation of the message; with `message_id`, and without `run_id`.'),
    message_id: s
      .optional(s.uuid('message'))
      .describe('A question, or the answer to it: the case ends there, and has the turns before it.'),
    run_id: s.optional(s.uuid('run')).describe('A run of a conversation, whose answer the case ends with.'),
    name,
    expected: s.optional(text).describe('What the answer should say; what it said unless given.'),
    criteria: s.optional(text).describe('What a model that judges the answer looks for; without it, none judges.'),
  })
  .meta({ id: 'EvaluationCaseFromMessage' });

/** Why a case or its result is hidden from the caller. */
export const hiddenField = z
  .string()
  .nullable()
  .describe('Why the caller may not read the texts, which are left out then. Null: they are shown.');

const answerFields = {
  id: z.guid().describe('The id of the case.'),
  origin: z
    .enum(caseOrigins)
    .describe(
      'Where the case comes from. `conversation`: it is read by those who may read its conversation, and deleted with it. `released`: it was made of a conversation and is read by all who read evaluations. `unknown`: from before sources were stored; `runs_read_all` reads it.',
    ),
  hidden: hiddenField,
  conversation_id: z
    .guid()
    .optional()
    .describe('The conversation that the case is made of, until it is released; for those who may read it.'),
  released_at: z.iso.datetime().optional().describe('When the case was released (ISO 8601, UTC).'),
  name: z.string().optional().describe('The name of the case.'),
  messages: z.array(z.string()).describe('The messages of the user, turn by turn.'),
  expected: z.string().optional().describe('What the last answer should say.'),
  match: z.enum(matches).optional().describe('How the last answer is compared with `expected`.'),
  criteria: z.string().optional().describe('What a model that judges the last answer looks for.'),
  citations: z.array(z.string()).optional().describe('Titles or addresses that the answer should name.'),
  tools: z
    .array(
      z.looseObject({
        name: z.string().describe('The name of the tool.'),
        input: z.unknown().optional().describe('The arguments of the recorded call.'),
        output: z.unknown().optional().describe('The result of the recorded call.'),
        is_error: z.boolean().describe('Whether the recorded call failed.'),
      }),
    )
    .optional()
    .describe('Recorded tool calls.'),
};
export const answerCase = z.looseObject(answerFields);
/** A case by itself. */
export const evaluationCaseEntry = z
  .strictObject({
    ...answerFields,
    evaluation_id: z.guid().describe('The evaluation that the case belongs to.'),
    position: z.int().describe('Its position among the cases, from 0.'),
    etag: etag.describe('The version of the evaluation, which every change of a case moves on.'),
  })
  .meta({ id: 'EvaluationCaseEntry' });
export const evaluationCasePage = paged(
  evaluationCaseEntry,
  summaryOf(evaluationCaseEntry, ['id', 'evaluation_id', 'position', 'name']),
);

const evaluationId = s.uuid('evaluation').describe('The id of the evaluation.');
export const evaluationCaseParams = s.object({
  evaluation_id: evaluationId,
  case_id: s.uuid('evaluation_case').describe('The id of the case.'),
});
export const evaluationCaseListQuery = s.query(pageFields);

/** A case of a list as it is sent, with what a client has read of it before. */
export type GivenCase = z.output<typeof evaluationCase>;
export type EvaluationCase = Omit<GivenCase, keyof typeof echoed>;
export type CaseOrigin = (typeof caseOrigins)[number];
export type AnswerCase = z.output<typeof answerCase>;
export type EvaluationCaseCreate = z.output<typeof evaluationCaseCreate>;
export type EvaluationCasePatch = z.output<typeof evaluationCasePatch>;
export type CaseFromMessage = z.output<typeof caseFromMessage>;
export type EvaluationCaseEntry = z.output<typeof evaluationCaseEntry>;
