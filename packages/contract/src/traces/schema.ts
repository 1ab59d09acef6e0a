import * as z from 'zod';
import { purposes } from '../models/purposes.ts';

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
  ms: z.int().describe('How long the step took, in milliseconds.'),
  error: z.boolean().describe('Whether the step failed.'),
};

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
      .enum(['ok', 'failed', 'stopped'])
      .describe('How the call ended; `stopped`: it was cut off before its end.'),
    ...usage,
    estimated: z.boolean().describe('Whether the tokens are an estimate, because the provider reported none.'),
    prompt: prompt.nullable().describe('The prompt as it was sent. Null: it is not kept, or no longer.'),
  }),
  z.strictObject({
    kind: kind('tool', 'A call of a tool.'),
    ...step,
    name: z.string().describe('The name of the tool.'),
  }),
  z.strictObject({
    kind: kind('guardrail', 'A check by guardrails.'),
    ...step,
    stage: z.string().describe('Where the guardrails checked: input, tool or output.'),
    action: z.string().nullable().describe('What the guardrails decided. Null: none of them objected.'),
  }),
]);

export const trace = z
  .strictObject({
    run_id: z.guid().describe('The id of the run.'),
    conversation_id: z.guid().describe('The conversation of the run.'),
    agent_id: z.guid().nullable().describe('The agent of the conversation. Null: it has none.'),
    version_id: z.guid().nullable().describe('The version of the agent that the conversation is pinned to.'),
    status: z.string().describe('The status of the run.'),
    started_at: z.iso.datetime().describe('When the run started (ISO 8601, UTC).'),
    finished_at: z.iso.datetime().nullable().describe('When the run ended (ISO 8601, UTC). Null: it has not.'),
    ...usage,
    steps: z.array(traceStep).describe('The steps in the order of their start.'),
  })
  .meta({ id: 'Trace' });

export type Trace = z.output<typeof trace>;
export type TraceStep = z.output<typeof traceStep>;
