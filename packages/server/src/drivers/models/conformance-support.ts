import type { IncomingHttpHeaders } from 'node:http';
import type { FinishReason } from '@atrium/contract/models/model-usage.ts';
import type { Model, ModelPart, ModelRequest } from './driver.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads of a request is asserted by the test itself
export type Json = any;

/** The next answer of the scripted provider, with the errors that it simulates. */
export interface Reply {
  text?: string;
  /** The number of pieces of the text. */
  deltas?: number;
  reasoning?: string;
  /** An `input` that is text is sent as it is, so that it can be broken JSON. */
  tool_calls?: { id?: string; name: string; input: unknown }[];
  finish?: FinishReason;
  usage?: Partial<Tokens>;
  /** Answers this status instead, with `error` as its message. */
  status?: number;
  headers?: Record<string, string>;
  error?: string;
  delay_ms?: number;
  chunk_delay_ms?: number;
  /** Waits for this promise before it answers, or until the client disconnects. */
  after?: Promise<unknown>;
  /** Pauses before the chunk with this text until the promise is resolved. */
  held?: { before: string; until: Promise<unknown> };
  /** Drops the connection after this number of chunks. */
  drop_after?: number;
  /** The index of a chunk that is not JSON. */
  malformed_at?: number;
  /** Writes this number of bytes at a time, also inside characters. */
  trickle?: number;
}

export interface Tokens {
  input: number;
  cached: number;
  output: number;
  reasoning: number;
}

export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Json;
  at: number;
  /** Whether the client disconnected before the end of the answer. */
  closed_early: boolean;
  /** Settles when the connection's part in this request is over. */
  done: Promise<void>;
}

export interface ScriptedProvider {
  /** The base address to configure. */
  url: string;
  /** Adds to the queue of answers. With an empty queue `SAY <text>` is obeyed and anything else echoed. */
  reply(...replies: Reply[]): void;
  /** Used before the queue: an answer that depends on the question. */
  answers: ((body: Json) => Reply | undefined) | undefined;
  requests: RecordedRequest[];
  /** The newest request; fails the test when there is none. */
  last(): RecordedRequest;
  /** What `/models` lists; undefined: the address has no such list. */
  models: string[] | undefined;
  close(): Promise<void>;
}

/** A request with something in every setting, for tests to change. */
export const sampleModelRequest = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'test-model',
  system: 'Be brief.',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  parallel_tool_calls: true,
  max_tokens: 321,
  temperature: 0.6,
  top_p: 0.9,
  top_k: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  stop_sequences: [],
  reasoning: 'off',
  cache: false,
  ...changes,
});

export const weather = {
  name: 'weather',
  description: 'The weather in a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** Everything a model says to a request. */
export async function hear(model: Model, request: ModelRequest, signal = new AbortController().signal) {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, signal)) parts.push(part);
  const textOf = (type: 'text' | 'reasoning') =>
    parts.flatMap((part) => (part.type === type ? part.text : [])).join('');
  return {
    parts,
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? part : [])),
    warnings: parts.flatMap((part) => (part.type === 'warning' ? part.message : [])),
    finish: parts.find((part) => part.type === 'finish'),
  };
}
