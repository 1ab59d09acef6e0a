import type { FinishReason, ModelUsage } from '@atrium/contract/models/model-usage.ts';

/** What a model is told and asked, in no provider's words. */
export { appendToolHints } from './tool-hints.ts';

export interface ModelRequest {
  /** The provider's own name of the model. */
  model: string;
  system: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  parallel_tool_calls: boolean;
  /** Whether a tool has to be called, and which; left out: as the model sees fit. */
  tool_choice?: ToolChoice;
  max_tokens: number;
  temperature: number;
  top_p: number;
  top_k: number;
  presence_penalty: number;
  frequency_penalty: number;
  /** Which of these stand at their defaults: where a provider does not take one, nobody need be told. */
  unasked?: readonly string[];
  stop_sequences: string[];
  reasoning: 'off' | 'low' | 'medium' | 'high';
  /** Mark the stable beginning of the prompt for the provider's cache. */
  cache: boolean;
  /** Ask for an answer that is JSON of this schema. */
  json_schema?: Record<string, unknown>;
  /** Ask for an answer that is a JSON object, whatever its keys. */
  json_object?: true;
}

/** `required`: some tool; `{ tool }`: this one. */
export type ToolChoice = 'auto' | 'required' | { tool: string };

/** A request for words alone, with nothing left to chance; whoever wants it otherwise says so over it. */
export const plainRequest = {
  tools: [],
  parallel_tool_calls: false,
  temperature: 0,
  top_p: 1,
  top_k: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  stop_sequences: [],
  reasoning: 'off',
  cache: false,
} satisfies Partial<ModelRequest>;

export interface ModelTool {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
  /** Have the provider hold the model to the schema, where it can. */
  strict?: boolean;
}

export type ModelMessage =
  | { role: 'user'; parts: (TextContent | FileContent)[] }
  | { role: 'assistant'; parts: (TextContent | ToolCallContent)[] }
  | { role: 'tool'; results: ToolResultContent[] };

export interface TextContent {
  type: 'text';
  text: string;
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

/** What comes back, in the order it comes. A stream that ends without `finish` broke off. */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Whole: `input` is the JSON the model wrote, parsed; text that is no JSON stays a string. */
  | { type: 'tool-call'; id: string; name: string; input: unknown }
  /** Something asked for that the provider does not take and that was left out. */
  | { type: 'warning'; message: string }
  | { type: 'finish'; reason: FinishReason; usage: ModelUsage };

/** One model at one address. No retries, no timeouts: whoever calls it brings those, once for all providers. */
export interface Model {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
  /** The most output tokens that the provider is allowed besides `max_tokens`, for thinking; 0 when not told. */
  extraTokens?(request: ModelRequest): number;
}

/** Why a call failed, as far as trying again depends on it. */
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
