import type { FinishReason, ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { CoveredText, Stretch } from '../../lib/text/covered-text.ts';

export { appendToolHints } from './tool-hints.ts';

/** Who wrote a text: the operator, this or another server, or the caller. Anonymizers change only the caller's. */
export type TextOrigin = 'operator' | 'server' | 'caller';

/** A request to a model, independent of its provider. */
export interface ModelRequest {
  /** The provider's own name of the model. */
  model: string;
  system: string;
  /** The stretches of `system` that anonymizers cover; the rest is the operator's own. Left out: all of it. */
  system_covered?: readonly Stretch[];
  messages: ModelMessage[];
  tools: ModelTool[];
  parallel_tool_calls: boolean;
  /** Whether a tool has to be called, and which; left out: the model decides. */
  tool_choice?: ToolChoice;
  /** The most tokens of the answer, its reasoning included. */
  max_tokens: number;
  temperature: number;
  top_p: number;
  top_k: number;
  presence_penalty: number;
  frequency_penalty: number;
  /** The settings with their default values: when one is left out or lowered, no warning is sent. */
  unasked?: readonly string[];
  stop_sequences: string[];
  /** Left out: the caller's. */
  stop_origin?: TextOrigin;
  reasoning: 'off' | 'low' | 'medium' | 'high';
  /** Mark the stable beginning of the prompt for the provider's cache. */
  cache: boolean;
  /** Ask for an answer that is JSON of this schema. */
  json_schema?: Record<string, unknown>;
  /** Left out: the caller's. */
  json_schema_origin?: TextOrigin;
  /** Ask for an answer that is a JSON object with any keys. */
  json_object?: true;
}

/** `required`: some tool; `{ tool }`: this one. */
export type ToolChoice = 'auto' | 'required' | { tool: string };

/** The defaults of a request for text: no tools, temperature 0. Callers spread it and override fields. */
export const plainRequest = {
  tools: [],
  parallel_tool_calls: false,
  temperature: 0,
  top_p: 1,
  top_k: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  stop_sequences: [],
  stop_origin: 'operator',
  json_schema_origin: 'operator',
  reasoning: 'off',
  cache: false,
} satisfies Partial<ModelRequest>;

/** The fields of a request for a system prompt, of which only some stretches are covered. */
export const systemOf = ({ text, covered }: CoveredText): Pick<ModelRequest, 'system' | 'system_covered'> => ({
  system: text,
  system_covered: covered,
});

export interface ModelTool {
  name: string;
  description: string;
  /** JSON texts with records of the workspace; they are anonymized and added to the description before it is sent. */
  data?: readonly string[];
  /** Left out: the caller's. */
  origin?: TextOrigin;
  /** The stretches of a description of another origin that are data all the same, such as a summary of documents. */
  covered?: readonly Stretch[];
  input_schema: Record<string, unknown>;
  /** Ask the provider to enforce the schema, where it can. */
  strict?: boolean;
}

export type ModelMessage =
  | { role: 'user'; parts: (TextContent | FileContent)[] }
  | { role: 'assistant'; parts: (TextContent | ToolCallContent)[] }
  | { role: 'tool'; results: ToolResultContent[] };

export interface TextContent {
  type: 'text';
  text: string;
  /** The stretches that anonymizers cover, in a text with words of the operator. Left out: all of it. */
  covered?: readonly Stretch[];
}

export interface FileContent {
  type: 'file';
  media_type: string;
  filename: string;
  data: Uint8Array;
}

export interface ToolCallContent {
  type: 'tool-call';
  id: string;
  name: string;
  input: unknown;
}

export interface ToolResultContent {
  id: string;
  name: string;
  output: string;
  is_error: boolean;
}

/** How the request that was sent differs from what was asked for. */
export interface ModelWarning {
  /** Absent: the provider does not take a setting, which was left out. */
  code?: 'max_tokens_lowered' | 'reasoning_lowered';
  message: string;
}

export const maxTokensLowered = (model: string, asked: number, most: number): ModelWarning => ({
  code: 'max_tokens_lowered',
  message: `max_tokens_lowered: ${asked} tokens were asked for, ${model} writes at most ${most}`,
});

/** A part of an answer. A stream that ends without `finish` broke off. */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Text for the operator after the answer: users of the agent do not see it. */
  | { type: 'advice'; text: string }
  /** Whole: `input` is the JSON the model wrote, parsed; text that is no JSON stays a string. */
  | { type: 'tool-call'; id: string; name: string; input: unknown }
  | ({ type: 'warning' } & ModelWarning)
  /** `found_nothing`: the answer says that nothing answers the question. Language models do not tell. */
  | { type: 'finish'; reason: FinishReason; usage: ModelUsage; found_nothing?: true };

/** One model at one address. It has no retries and no timeouts: the caller adds them, once for all providers. */
export interface Model {
  stream(request: ModelRequest, signal: AbortSignal, options?: StreamOptions): AsyncIterable<ModelPart>;
}

export interface StreamOptions {
  /** Words that are passed on at the same time may be one part: fewer parts take less of the processor. */
  joined?: boolean;
}

/** Why a call failed, with the data that retries depend on. */
export class ModelError extends Error {
  /** The provider's answer, when there was one. */
  readonly status: number | undefined;
  readonly retry_after_ms: number | undefined;

  constructor(message: string, options: { status?: number; retry_after_ms?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.retry_after_ms = options.retry_after_ms;
  }
}
