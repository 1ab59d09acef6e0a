import * as z from 'zod';
import { purposes } from '../models/purposes.ts';
import * as s from '../schema/schema.ts';

const usage = {
  input_tokens: z.int().describe('Tokens that were sent.'),
  cached_tokens: z.int().describe('The part of the input tokens that the provider had in its cache.'),
  output_tokens: z.int().describe('Tokens that came back.'),
  reasoning_tokens: z.int().describe('The part of the output tokens that was reasoning.'),
  cost: z.number().nullable().describe('The cost in US dollars. Null: no price is known.'),
};

const step = {
  id: z.string().describe('The id of the step in the run.'),
  started_at: z.iso.datetime().describe('When the step started (ISO 8601, UTC).'),
  ms: z.int().describe('How long the step took, in milliseconds; so far, while it is running.'),
  error: z.boolean().describe('Whether the step failed.'),
  parent_id: z
    .string()
    .nullable()
    .describe('The step that this one is a part of, such as the tool that searched. Null: the run itself.'),
  run_id: z.guid().describe('The run that the step belongs to: the run of the trace, or one that it started.'),
  running: z.boolean().describe('Whether the step is still under way.'),
  truncated: z
    .literal(true)
    .optional()
    .describe(
      'There when content of the step was left out because the trace was too large: `step_id` returns it whole.',
    ),
};

const content = (what: string) =>
  z
    .unknown()
    .describe(
      `${what}, with placeholders for private values and handles for secrets. Null: there is none, it is not kept any more, or \`content\` was switched off.`,
    );
const errorMessage = z
  .string()
  .nullable()
  .describe('Why the step failed. Null: it did not, or the reason is not kept.');

const kind = <K extends string>(value: K, description: string) => z.literal(value).describe(description);

const prompt = z.strictObject({
  system: z.string().describe('The system prompt.'),
  messages: z
    .array(z.unknown())
    .describe('The messages as the model got them, the newest ones that fit; files without their bytes.'),
  tools: z.array(z.string()).describe('The names of the tools that the model could call.'),
  settings: z.record(z.string(), z.unknown()).describe('The settings of the request, such as temperature.'),
  left_out: z.int().describe('How many of the oldest messages are not kept, because the prompt was too long.'),
});

export const traceStep = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: kind('model', 'A call of a model.'),
    ...step,
    purpose: z.enum(purposes).describe('Why the model was called.'),
    model: z.string().describe('The model as `provider/model`.'),
    ttft_ms: z.int().nullable().describe('Milliseconds to the first text or tool call. Null: there was none.'),
    status: z
      .enum(['ok', 'failed', 'stopped', 'running'])
      .describe('How the call ended; `stopped`: it was cut off before its end, `running`: it has not ended.'),
    ...usage,
    estimated: z.boolean().describe('Whether the tokens are an estimate, because the provider reported none.'),
    attempt: z
      .int()
      .describe('Which try of one question the call was, counted from 1; each fallback is a further try.'),
    first_try_id: z.string().nullable().describe('The id of the first try of the same question. Null: not known.'),
    error_message: errorMessage,
    answer: z
      .string()
      .nullable()
      .describe('The text that came back, with placeholders for private values. Null: it is not kept, or no longer.'),
    prompt: prompt.nullable().describe('The prompt as it was sent. Null: it is not kept, or no longer.'),
  }),
  z.strictObject({
    kind: kind('tool', 'A call of a tool.'),
    ...step,
    name: z.string().describe('The name of the tool.'),
    call_id: z.string().describe('The id that the model gave the call.'),
    outcome: z
      .string()
      .nullable()
      .describe('How the call ended, such as `ok`, `error` or `timeout`. Null: it has not.'),
    cost: z
      .number()
      .describe('What the tool reported as its cost in US dollars, such as that of a run which it started.'),
    input: content('What the tool was called with'),
    output: content('What the tool answered'),
  }),
  z.strictObject({
    kind: kind('wait', 'A wait for a person or for a time.'),
    ...step,
    for: z.enum(['approval', 'answer', 'person', 'time']).describe('What the run waited for.'),
    name: z.string().nullable().describe('The tool whose call waited. Null: none.'),
    request_id: z.string().nullable().describe('The id of the approval or question. Null: a wait for a time.'),
    decision: z.string().nullable().describe('What was decided: `approve` or `reject`. Null: nothing, or not yet.'),
    by: z.string().nullable().describe('The id of the actor that decided or answered. Null: it is not known.'),
  }),
  z.strictObject({
    kind: kind('node', 'A node of a workflow.'),
    ...step,
    node_id: z.string().describe('The id of the node in its workflow.'),
    label: z.string().nullable().describe('The label of the node. Null: not known.'),
    type: z.string().nullable().describe('The type of the node. Null: not known.'),
    status: z.enum(['running', 'completed', 'failed', 'skipped']).describe('How the node stands.'),
    attempt: z.int().describe('How many times the node was tried so far.'),
    error_message: errorMessage,
    input: content('The inputs of the node, in a run with `tracing`'),
    output: content('The outputs of the node'),
  }),
  z.strictObject({
    kind: kind('run', 'A run that this one started: of a subagent, a co-worker or a workflow.'),
    ...step,
    run_kind: z.enum(['conversation', 'workflow']).describe('What runs.'),
    conversation_id: z.guid().nullable().describe('The conversation of the run. Null: it is one of a workflow.'),
    workflow_id: z.guid().nullable().describe('The workflow that runs. Null: it is a run of a conversation.'),
    agent_id: z.guid().nullable().describe('The agent that runs. Null: none.'),
    agent_name: z.string().nullable().describe('The name of the agent. Null: none, or it is gone.'),
    status: z.string().describe('The status of the run.'),
    ...usage,
  }),
  z.strictObject({
    kind: kind('guardrail', 'A check by guardrails.'),
    ...step,
    stage: z.string().describe('Where the guardrails checked: input, tool or output.'),
    action: z.string().nullable().describe('What the guardrails decided. Null: none of them objected.'),
  }),
]);

const phase = {
  queued: 'the run waits for a free slot',
  preparing: 'settings, history and the first prompt are read, up to the first step',
  between: 'results are stored and the next step is prepared',
  finishing: 'the answer is stored, after the last step',
};
export const gapPhases = ['queued', 'preparing', 'between', 'finishing'] as const;
const explained = (phases: readonly (keyof typeof phase)[]) =>
  phases.map((name) => `\`${name}\`: ${phase[name]}`).join('; ');

const traceTime = z.strictObject({
  ms: z
    .int()
    .describe(
      'How long the run took from the time it was asked for to its end, in milliseconds; so far, while it is running.',
    ),
  parts: z
    .array(
      z.strictObject({
        what: z
          .enum(['model', 'tool', 'guardrail', 'wait', 'run', 'node', ...gapPhases])
          .describe(`The kind of the steps, or time without a step. ${explained(gapPhases)}.`),
        ms: z.int().describe('Milliseconds. Time of several steps at once counts for one of them, the innermost kind.'),
      }),
    )
    .describe('Where the time went. The parts add up to `ms`.'),
  gaps: z
    .array(
      z.strictObject({
        phase: z.enum(gapPhases).describe(`What the time was spent on: ${explained(gapPhases)}.`),
        started_at: z.iso.datetime().describe('When it began (ISO 8601, UTC).'),
        ms: z.int().describe('How long it lasted, in milliseconds.'),
      }),
    )
    .describe('The times in which no step ran, in the order of their start.'),
});

export const trace = z
  .strictObject({
    run_id: z.guid().describe('The id of the run.'),
    kind: z.enum(['conversation', 'workflow']).describe('What runs.'),
    conversation_id: z.guid().nullable().describe('The conversation of the run. Null: it is one of a workflow.'),
    workflow_id: z.guid().nullable().describe('The workflow that runs. Null: it is a run of a conversation.'),
    parent_run_id: z.guid().nullable().describe('The run that started this one. Null: none did.'),
    agent_id: z.guid().nullable().describe('The agent that runs. Null: none.'),
    version_id: z.guid().nullable().describe('The version of the agent that the run started with. Null: none.'),
    status: z.string().describe('The status of the run.'),
    created_at: z.iso.datetime().describe('When the run was asked for (ISO 8601, UTC).'),
    started_at: z.iso.datetime().describe('When the run started (ISO 8601, UTC).'),
    finished_at: z.iso.datetime().nullable().describe('When the run ended (ISO 8601, UTC). Null: it has not.'),
    ...usage,
    whole: z
      .strictObject(usage)
      .describe('What the run and all runs below it have used together; the model calls among the steps add up to it.'),
    time: traceTime.describe('Where the time of the run went.'),
    hidden: z
      .enum(['documents'])
      .nullable()
      .describe(
        'Why the content of all steps is left out: the run has read documents that the caller may not read. Null: it is not.',
      ),
    truncated: z
      .boolean()
      .describe('Whether content of some steps was left out; those say so, and `step_id` returns each of them whole.'),
    steps: z
      .array(traceStep)
      .describe('The steps in the order of their start, those of runs that this one started included.'),
  })
  .meta({ id: 'Trace' });

export const traceQuery = s.query({
  content: s
    .withDefault(s.bool(), true)
    .describe('Whether to return prompts, answers, inputs and outputs. Without them a long trace is small.'),
  step_id: s
    .optional(s.str({ max: 1000 }))
    .describe('Only the step with this id, with all of its content, however large.'),
  max_bytes: s
    .withDefault(s.int({ ge: 0, le: 8_000_000 }), 1_000_000)
    .describe(
      'About how many bytes of content the trace may have; steps whose content does not fit any more come without it.',
    ),
});
export type TraceQuery = z.output<typeof traceQuery>;

const message = s.dict().describe('A message as the prompt of the step has it.');
export const modelCallParams = s.object({
  run_id: s.uuid('run').describe('The id of the run.'),
  step_id: s.uuid('model_call').describe('The id of the model step in the trace.'),
});
export const modelCallRetry = s
  .object({
    system: s.optional(s.str({ max: 200_000 })).describe('Another system prompt; as it was sent unless given.'),
    messages: s
      .optional(s.list(message, { min: 1, max: 2000 }))
      .describe('Other messages, in the form of `prompt.messages`; as they were sent unless given.'),
    model: s
      .optional(s.str({ min: 1, max: 500 }))
      .describe('Another model as `provider/model`; the same unless given.'),
    temperature: s.optional(s.number({ ge: 0, le: 2 })).describe('Another temperature; the same unless given.'),
    max_tokens: s
      .optional(s.int({ ge: 1, le: 1_000_000 }))
      .describe('Another limit of the answer; the same unless given.'),
  })
  .meta({ id: 'ModelCallRetry' });
export type ModelCallRetry = z.output<typeof modelCallRetry>;

export const modelCallAnswer = z
  .strictObject({
    model: z.string().describe('The model that answered, as `provider/model`.'),
    text: z.string().describe('The answer, with placeholders for private values.'),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string().describe('The id of the call.'),
          name: z.string().describe('The tool that the model would call.'),
          input: z.unknown().describe('What it would be called with.'),
        }),
      )
      .describe('Tools that the model asked for. None of them is run.'),
    finish_reason: z.string().describe('Why the answer ended, such as `stop` or `length`.'),
    ms: z.int().describe('How long the call took, in milliseconds.'),
    ...usage,
    left_out: z.int().describe('How many messages were not sent again, because they were too long to keep.'),
    files_left_out: z.int().describe('How many files were not sent again; traces do not keep their bytes.'),
  })
  .meta({ id: 'ModelCallAnswer' });
export type ModelCallAnswer = z.output<typeof modelCallAnswer>;

export type Trace = z.output<typeof trace>;
export type TraceStep = z.output<typeof traceStep>;
