import * as z from 'zod';
import { describeAs, jsonSchemaOf } from '../schema/json-schema.ts';
import { refuse, scalar } from '../schema/scalar.ts';
import * as s from '../schema/schema.ts';
import { model as modelSettings } from '../settings/keys/model.ts';
import { clientTools, responseFormat, toolChoice } from './client-tool-schema.ts';

const agentModel = s.str({ min: 1, max: 600 }).meta({
  'x-refers-to': 'agent',
  description: 'The agent: `agent:` with its id or name, or its bare id.',
}) as z.ZodType<string>;

const part = z
  .looseObject({
    type: s.oneOf(['text', 'image_url']).describe('What the part is.'),
    text: s.optional(s.str({ max: 2_000_000 })).describe('The text of a text part.'),
    image_url: s
      .optional(
        z.looseObject({ url: s.str({ min: 1 }).describe('Where to fetch the image, or a `data:` URL with base64.') }),
      )
      .describe('The image of an image part; only a user can send one.'),
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

/** A plain text is read as a list with one text part. */
function contentParts(): z.ZodType<z.output<typeof part>[]> {
  const parts = s.list(part, { max: 100 });
  const schema = z.preprocess(asParts, parts);
  // Zod describes the list alone; the JSON Schema has to offer both forms.
  const forms = () => [{ type: 'string' }, jsonSchemaOf(parts, 'input')];
  describeAs(schema, () => ({ anyOf: forms(), type: undefined, items: undefined, maxItems: undefined }));
  return schema as unknown as z.ZodType<z.output<typeof part>[]>;
}

const toolCall = z.looseObject({
  id: s.str({ max: 200 }).describe('The id of the call, which its tool message repeats.'),
  function: z
    .looseObject({
      name: s.str({ max: 200 }).describe('The name of the tool.'),
      arguments: s.withDefault(s.str(), '{}').describe('The arguments as JSON text.'),
    })
    .describe('The tool and its arguments.'),
});

const message = z.looseObject({
  role: s
    .oneOf(['system', 'developer', 'user', 'assistant', 'tool'])
    .describe(
      'Who the message is from. `system` and `developer` are instructions, refused when the agent locks its prompt.',
    ),
  content: s.withDefault(contentParts(), []).describe('The text, or a list of parts.'),
  tool_calls: s.optional(s.list(toolCall, { max: 200 })).describe('The tools that this assistant message called.'),
  tool_call_id: s.optional(s.str({ max: 200 })).describe('The call that this tool message answers.'),
});

/** Refuses a field that is not supported: a client would take an answer that ignores it for one that follows it. */
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

/** The request of the chat completions protocol. Fields that have no effect here are accepted and ignored. */
export const completionRequest = z
  .looseObject({
    model: agentModel,
    messages: s
      .list(message, { min: 1, max: 2000 })
      .describe('The whole conversation; the last message is of a user, or a tool result that the user waits for.'),
    stream: s.withDefault(s.bool(), false).describe('Whether the answer comes as server-sent events.'),
    stream_options: s
      .optional(
        z.looseObject({
          include_usage: s.withDefault(s.bool(), false).describe('Whether a last chunk has the token counts.'),
        }),
      )
      .describe('Options of the stream.'),
    temperature: s.optional(temperature.schema).describe("Sampling temperature; the agent's unless given."),
    top_p: s.optional(top_p.schema).describe("Nucleus sampling; the agent's unless given."),
    max_tokens: s
      .optional(max_tokens.schema)
      .describe(
        "The most tokens of the answer. A number above the agent's limit gets the agent's limit, with a warning.",
      ),
    max_completion_tokens: s.optional(max_tokens.schema).describe('The newer name of `max_tokens`, which wins.'),
    presence_penalty: s
      .optional(presence_penalty.schema)
      .describe("Penalty on tokens that the text already has; the agent's unless given."),
    frequency_penalty: s
      .optional(frequency_penalty.schema)
      .describe("Penalty on tokens by how often the text has them; the agent's unless given."),
    stop: s.optional(stop).describe('A text, or a list of texts, that ends the answer.'),
    user: s
      .optional(s.str({ max: 512 }))
      .describe('The end user that the client asks for; usage can be looked up by it.'),
    safety_identifier: s.optional(s.str({ max: 512 })).describe('The newer name of `user`, which wins.'),
    n: unsupported('more than one answer (n)', (input) => input === 1).describe('The number of answers; only 1.'),
    tools: s
      .optional(clientTools)
      .describe("Tools that the client runs itself, besides the agent's own, which Atrium runs. Each name once."),
    tool_choice: s.optional(toolChoice).describe("Which of the client's tools the model calls; `auto` unless given."),
    parallel_tool_calls: s.optional(s.bool()).describe('False: at most one tool call at a time.'),
    functions: unsupported('the older form of tools (functions); send tools', isEmpty).describe(
      'The older form of `tools`; not supported.',
    ),
    response_format: s.optional(responseFormat).describe('The format of the answer; text unless given.'),
  })
  .meta({ id: 'CompletionRequest' });

export const completionUsage = z.strictObject({
  prompt_tokens: z.int().describe('Tokens of the input, of all model calls of the run.'),
  completion_tokens: z.int().describe('Tokens that the models wrote.'),
  total_tokens: z.int().describe('Both together.'),
  prompt_tokens_details: z
    .strictObject({ cached_tokens: z.int().describe("Input tokens that came from the provider's cache.") })
    .describe('The input tokens in parts.'),
  completion_tokens_details: z
    .strictObject({ reasoning_tokens: z.int().describe('Tokens that the models spent on reasoning.') })
    .describe('The written tokens in parts.'),
});

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const;

export const clientToolCall = z.strictObject({
  id: z.string().describe('The id of the call; send it back as `tool_call_id` of the tool message.'),
  type: z.literal('function').describe('Always `function`.'),
  function: z
    .strictObject({
      name: z.string().describe("The name of the client's tool."),
      arguments: z.string().describe('The arguments as JSON text.'),
    })
    .describe('The tool to run and its arguments.'),
});

const created = z.int().describe('When it was created, in seconds since 1970.');

const quote = z.string().optional().describe('The words that the answer rests on, unless the settings omit them.');
const citedTitle = z.string().describe('What the source is called.');
const annotation = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('url_citation').describe('A source with an address.'),
    url_citation: z
      .strictObject({
        url: z.string().describe('Its address.'),
        title: citedTitle,
        start_index: z.int().describe('Where the text that it supports begins.'),
        end_index: z.int().describe('Where that text ends.'),
        quote,
      })
      .describe('The source.'),
  }),
  z.strictObject({
    type: z.literal('file_citation').describe('A document without an address.'),
    file_citation: z.strictObject({ title: citedTitle, quote }).describe('The document.'),
  }),
]);

const answerMessage = z.strictObject({
  role: z.literal('assistant').describe('Always `assistant`.'),
  content: z.string().nullable().describe('The text of the answer; null when there are only tool calls.'),
  refusal: z.null().describe("Always null; a guardrail's refusal is the content."),
  tool_calls: z.array(clientToolCall).optional().describe("Calls of the client's tools, for the client to run."),
  annotations: z
    .array(annotation)
    .optional()
    .describe('The sources of the answer, as `citation_style` shows them; in a stream they come with its last piece.'),
});

const choice = z.strictObject({
  index: z.int().describe('Always 0.'),
  message: answerMessage.describe('What the agent answers.'),
  logprobs: z.null().describe('Always null.'),
  finish_reason: z
    .enum(finishReasons)
    .describe(
      'Why the answer ended: `tool_calls` when the client has to run tools, `length` at `max_tokens` (tool calls may then be cut), `content_filter` by a guardrail.',
    ),
});

export const completion = z
  .strictObject({
    id: z.string().describe('`chatcmpl-` with the id of the agent run.'),
    object: z.literal('chat.completion').describe('Always `chat.completion`.'),
    created,
    model: z.string().describe('The `model` of the request.'),
    choices: z.array(choice).describe('The answer; always one.'),
    usage: completionUsage.describe('The tokens that the run used.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe(
        'Not part of the protocol: how the answer differs from what was asked for, such as `max_tokens_lowered`. Streams have it in the chunk with the `finish_reason`.',
      ),
  })
  .meta({ id: 'Completion' });

/** `name` is not part of the protocol; clients that know it show it. */
export const agentAsModel = z
  .strictObject({
    id: z.string().describe('`agent:` with the id of the agent; the `model` of requests.'),
    object: z.literal('model').describe('Always `model`.'),
    created,
    owned_by: z.string().describe('The workspace of the agent.'),
    name: z.string().describe('The name of the agent.'),
  })
  .meta({ id: 'AgentAsModel' });

export const modelList = z.strictObject({
  object: z.literal('list').describe('Always `list`.'),
  data: z.array(agentAsModel).describe('All agents of the workspace.'),
});
export const modelParams = s.object({ model: agentModel });

export type CompletionRequest = z.output<typeof completionRequest>;
export type Completion = z.output<typeof completion>;
export type CompletionUsage = z.output<typeof completionUsage>;
export type Annotation = z.output<typeof annotation>;
export type ClientToolCall = z.output<typeof clientToolCall>;
export type FinishReason = (typeof finishReasons)[number];
export type AgentAsModel = z.output<typeof agentAsModel>;
