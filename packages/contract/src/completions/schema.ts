import { z } from 'zod';
import { jsonSchemaOf } from '../schema/json-schema.ts';
import { refuse, scalar } from '../schema/scalar.ts';
import * as s from '../schema/schema.ts';
import { model as modelSettings } from '../settings/model.ts';
import { clientTools, responseFormat, toolChoice } from './client-tool-schema.ts';

/** `agent:` with the id or the name of an agent; a bare id does too. */
const agentModel = s
  .str({ min: 1, max: 600 })
  .meta({ 'x-refers-to': 'agent', description: 'agent:<id or name>' }) as z.ZodType<string>;

const part = z
  .looseObject({
    type: s.oneOf(['text', 'image_url']),
    text: s.optional(s.str({ max: 2_000_000 })),
    image_url: s.optional(z.looseObject({ url: s.str({ min: 1 }) })),
  })
  .superRefine((item, context) => {
    if (item[item.type] === undefined)
      context.addIssue({
        code: 'custom',
        path: [item.type],
        params: { refusal: { type: 'missing', msg: 'Field required' } },
      });
  });

const asParts = (input: unknown) => (typeof input === 'string' ? [{ type: 'text', text: input }] : input);

/** A text stands for the list of parts that holds it. */
function contentParts(): z.ZodType<z.output<typeof part>[]> {
  const parts = s.list(part, { max: 100 });
  const schema = z.preprocess(asParts, parts);
  const json = { anyOf: [{ type: 'string' }, jsonSchemaOf(parts, 'input')] };
  // The list that zod sees is one of the two forms, not what both have in common.
  Object.assign(schema._zod.def, { json: { ...json, type: undefined, items: undefined, maxItems: undefined } });
  return schema as unknown as z.ZodType<z.output<typeof part>[]>;
}

const toolCall = z.looseObject({
  id: s.str({ max: 200 }),
  function: z.looseObject({ name: s.str({ max: 200 }), arguments: s.withDefault(s.str(), '{}') }),
});

const message = z.looseObject({
  role: s.oneOf(['system', 'developer', 'user', 'assistant', 'tool']),
  content: s.withDefault(contentParts(), []),
  tool_calls: s.optional(s.list(toolCall, { max: 200 })),
  tool_call_id: s.optional(s.str({ max: 200 })),
});

/** Asked for and not to be had: said plainly, since an answer that leaves it out would be taken for one that has it. */
const unsupported = (why: string, isHarmless: (input: unknown) => boolean) =>
  s.optional(
    scalar<unknown>({}, (input) =>
      isHarmless(input) ? undefined : refuse('unsupported', `Not supported here: ${why}`, { error: why }),
    ),
  );

const isEmpty = (input: unknown) => Array.isArray(input) && input.length === 0;
const { temperature, top_p, max_tokens, presence_penalty, frequency_penalty } = modelSettings;
const stop = z.preprocess(
  (input) => (typeof input === 'string' ? [input] : input),
  s.list(s.str({ min: 1 }), { max: 16 }),
);

/** What clients of the chat completions protocol send. They send much more than counts here; that is let through. */
export const completionRequest = z
  .looseObject({
    model: agentModel,
    messages: s.list(message, { min: 1, max: 2000 }),
    stream: s.withDefault(s.bool(), false),
    stream_options: s.optional(z.looseObject({ include_usage: s.withDefault(s.bool(), false) })),
    temperature: s.optional(temperature.schema),
    top_p: s.optional(top_p.schema),
    max_tokens: s.optional(max_tokens.schema),
    max_completion_tokens: s.optional(max_tokens.schema),
    presence_penalty: s.optional(presence_penalty.schema),
    frequency_penalty: s.optional(frequency_penalty.schema),
    stop: s.optional(stop),
    /** For whom the client asks: figures can be looked at by it. The second is the newer name of the same. */
    user: s.optional(s.str({ max: 512 })),
    safety_identifier: s.optional(s.str({ max: 512 })),
    n: unsupported('more than one answer (n)', (input) => input === 1),
    /** Those of the client, which runs them itself; the agent's own are the agent's affair. */
    tools: s.optional(clientTools),
    tool_choice: s.optional(toolChoice),
    parallel_tool_calls: s.optional(s.bool()),
    functions: unsupported('the older form of tools (functions); send tools', isEmpty),
    response_format: s.optional(responseFormat),
  })
  .meta({ id: 'CompletionRequest' });

export const completionUsage = z.strictObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.strictObject({ cached_tokens: z.int() }),
  completion_tokens_details: z.strictObject({ reasoning_tokens: z.int() }),
});

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const;

/** A call of a tool that the client is to run. */
export const clientToolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

export const completion = z
  .strictObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.strictObject({
        index: z.int(),
        message: z.strictObject({
          role: z.literal('assistant'),
          /** Null when there are calls and no words. */
          content: z.string().nullable(),
          refusal: z.null(),
          tool_calls: z.array(clientToolCall).optional(),
        }),
        logprobs: z.null(),
        finish_reason: z.enum(finishReasons),
      }),
    ),
    usage: completionUsage,
  })
  .meta({ id: 'Completion' });

/** An agent as a model. `name` is more than the protocol has; screens that know it show it. */
export const agentAsModel = z
  .strictObject({
    id: z.string(),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
    name: z.string(),
  })
  .meta({ id: 'AgentAsModel' });

export const modelList = z.strictObject({ object: z.literal('list'), data: z.array(agentAsModel) });
export const modelParams = s.object({ model: agentModel });

export type CompletionRequest = z.output<typeof completionRequest>;
export type Completion = z.output<typeof completion>;
export type CompletionUsage = z.output<typeof completionUsage>;
export type ClientToolCall = z.output<typeof clientToolCall>;
export type FinishReason = (typeof finishReasons)[number];
export type AgentAsModel = z.output<typeof agentAsModel>;
