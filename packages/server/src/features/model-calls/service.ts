import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { Purpose } from '@atrium/contract/models/purposes.ts';
import type { ModelInfo } from '@atrium/contract/models/schema.ts';
import {
  type Model,
  ModelError,
  type ModelPart,
  type ModelRequest,
  plainRequest,
} from '../../drivers/models/driver.ts';
import { omit } from '../../lib/omit.ts';
import type {
  AnonymizedModel,
  AnonymizedRequest,
  Anonymizer,
  CallAttempt,
  CallHold,
  Meter,
  ModelCallContext,
  ModelCallRecord,
  StreamMeter,
} from './ports.ts';

/** What a call cost, in US dollars; null when the model's prices are not known. Prices are per million tokens. */
export function costOf(usage: ModelUsage, price: ModelInfo['price']): number | null {
  if (!price) return null;
  const fresh = usage.input_tokens - usage.cached_tokens;
  return (fresh * price.input + usage.cached_tokens * price.cached_input + usage.output_tokens * price.output) / 1e6;
}

/** Readers of metered answers put words together themselves. */
const joined = { joined: true };
const noTokens: ModelUsage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

/** Tokens that a provider may put around a text. */
const framing = 16;
/** A call ends at this many tokens beyond what was heard of it, at most: the rest was on its way when it was stopped. */
const onTheWay = 256;

/** What a call has used at most, whose provider reported nothing. Reasoning is not heard, so all of it counts. */
function mostUsed({ input_tokens, max_tokens }: CallHold, request: ModelRequest, heard: number): ModelUsage {
  const output_tokens = request.reasoning === 'off' ? Math.min(max_tokens, heard + onTheWay) : max_tokens;
  return { ...noTokens, input_tokens, output_tokens };
}

const settled = (usage: ModelUsage, price: ModelInfo['price']) => ({
  tokens: usage.input_tokens + usage.output_tokens,
  cost: costOf(usage, price),
});

/** Why a call failed. One whose time was up is aborted with the reason. */
function failureText(error: unknown, signal: AbortSignal): string {
  if (signal.reason instanceof ModelError) return signal.reason.message;
  if (signal.aborted) return 'The call was stopped';
  return error instanceof ModelError ? error.message : 'The connection broke off';
}

/**
 * Makes a call within its budgets, passes the parts of the answer on and records the call when they end. Written without
 * a generator, which would cost every token of every answer a few more turns of the event loop.
 */
function meterStream(
  model: Model,
  { meter, caller, info, guess, mostInput }: StreamMeter,
  call: {
    request: AnonymizedRequest;
    purpose: Purpose;
    context: ModelCallContext | undefined;
    signal: AbortSignal;
    attempt: CallAttempt | undefined;
  },
): AsyncIterable<ModelPart> {
  const { request, purpose, context, signal, attempt } = call;
  let started_at = 0;
  let started = 0;
  let ttft_ms: number | null = null;
  let text = '';
  let answer = '';
  let heard = 0;
  let usage: ModelUsage | undefined;
  let hold: CallHold | undefined;
  let recorded = false;

  async function begin(): Promise<AsyncIterator<ModelPart>> {
    const { max_tokens } = request;
    hold = await meter.reserve(
      {
        ...{ caller, context, max_tokens, price: info.price },
        get input_tokens() {
          return mostInput(request);
        },
      },
      signal,
    );
    started_at = Date.now();
    started = performance.now();
    const held = hold ? { ...request, max_tokens: hold.max_tokens } : request;
    return model.stream(held, signal, joined)[Symbol.asyncIterator]();
  }

  function record(failed: boolean, error?: unknown): Promise<void> | undefined {
    if (recorded) return undefined;
    recorded = true;
    // A provider charges for an answer it has begun, and nothing for a request it refuses before that.
    const estimated = usage === undefined && (heard > 0 || signal.aborted);
    const used = usage ?? { ...noTokens, ...(estimated && guess(request, text)) };
    meter.record({
      ...{ caller, context, purpose, started_at, ttft_ms, estimated, request },
      model: info.name,
      ms: Math.round(performance.now() - started),
      status: usage ? 'ok' : failed && !signal.aborted ? 'failed' : 'stopped',
      usage: used,
      cost: costOf(used, info.price),
      ...{ answer, attempt, error: failed ? failureText(error, signal) : null },
    });
    return hold?.settle(settled(estimated ? mostUsed(hold, request, heard) : used, info.price));
  }

  function inspect(next: IteratorResult<ModelPart>): IteratorResult<ModelPart> | Promise<IteratorResult<ModelPart>> {
    if (next.done) return after(record(false), next);
    const part = next.value;
    if (part.type === 'finish') {
      usage = part.usage;
      if (hold) return after(record(false), next, part.reason === 'length' ? hold.cut() : undefined);
    } else if (part.type !== 'warning') {
      ttft_ms ??= Math.round(performance.now() - started);
      if (part.type !== 'tool-call') text += part.text;
      if (part.type === 'text') answer += part.text;
      heard += Buffer.byteLength(part.type === 'tool-call' ? JSON.stringify(part.input ?? '') : part.text);
    }
    return next;
  }

  /** Settles before the caller goes on, so that its next call finds the room. */
  function after<T>(settling: Promise<void> | undefined, next: T, failure?: Error): T | Promise<T> {
    if (!settling) return next;
    return settling.then(() => {
      if (failure) throw failure;
      return next;
    });
  }

  return {
    [Symbol.asyncIterator]() {
      let iterator: AsyncIterator<ModelPart> | undefined;
      const read = (from: AsyncIterator<ModelPart>) =>
        from.next().then(inspect, async (error: unknown) => {
          await record(true, error);
          throw error;
        });
      return {
        next() {
          if (iterator) return read(iterator);
          return begin().then((begun) => {
            iterator = begun;
            return read(begun);
          });
        },
        async return(value) {
          await iterator?.return?.();
          if (iterator) await record(false);
          return { done: true, value };
        },
      };
    },
  };
}

/** Makes a call that answers all at once, for vectors, scores or pictures, and records it. */
export async function meterCall<T>(
  meter: Meter,
  call: Pick<ModelCallRecord, 'caller' | 'context' | 'purpose' | 'model'> & {
    price: ModelInfo['price'];
    /** The texts that are sent; undefined where only the provider knows the tokens of the input. */
    texts?: readonly string[];
  },
  signal: AbortSignal,
  ask: () => Promise<T>,
  /** The input tokens that the provider reported, or an estimate. */
  tokensOf: (answer: T) => { tokens: number; estimated: boolean },
): Promise<T> {
  const { price, texts = [], ...rest } = call;
  const input_tokens = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + framing, 0);
  const hold = await meter.reserve({ ...rest, price, input_tokens, max_tokens: 0 }, signal);
  const started_at = Date.now();
  const record = async (status: 'ok' | 'failed', tokens: number, estimated: boolean) => {
    const usage = { ...noTokens, input_tokens: tokens };
    const ms = Date.now() - started_at;
    const cost = costOf(usage, price);
    meter.record({ ...rest, started_at, ms, ttft_ms: null, status, usage, estimated, cost, request: undefined });
    // A call that was broken off may have been counted by its provider.
    await hold?.settle(status === 'failed' && signal.aborted ? undefined : settled(usage, price));
  };
  let answer: T;
  try {
    answer = await ask();
  } catch (error) {
    await record('failed', 0, false);
    throw error;
  }
  const { tokens, estimated } = tokensOf(answer);
  await record('ok', tokens, estimated);
  return answer;
}

/** For settings that anonymize nothing. */
export const noAnonymizer: Anonymizer = { anonymize: async (request) => request, restore: (parts) => parts };

/** For answers that are stored where nothing private belongs: placeholders stay in them. */
export const keepAnonymized = (anonymizer: Anonymizer): Anonymizer =>
  anonymizer === noAnonymizer
    ? anonymizer
    : { ...anonymizer, anonymize: (request) => anonymizer.anonymize(request), restore: (parts) => parts };

/** The same anonymizer, whose calls are recorded for this conversation. */
export const withCallContext = (anonymizer: Anonymizer, context: ModelCallContext): Anonymizer => ({
  anonymize: (request) => anonymizer.anonymize(request),
  restore: (parts) => anonymizer.restore(parts),
  context,
});

/** Requests pass through the first anonymizer and then the second; answers pass through them in reverse order. */
export function chainAnonymizers(first: Anonymizer, second: Anonymizer): Anonymizer {
  if (first === noAnonymizer) return second;
  if (second === noAnonymizer) return first;
  const context = second.context ?? first.context;
  return {
    anonymize: async (request) => second.anonymize(await first.anonymize(request)),
    restore: (parts) => first.restore(second.restore(parts)),
    ...(context && { context }),
  };
}

/** Shows the data of tools below their descriptions, where every provider's protocol has room for it. */
const showToolData = (request: ModelRequest): ModelRequest => ({
  ...request,
  tools: request.tools.map(({ data, ...tool }) =>
    data ? { ...tool, description: [tool.description, ...data].join('\n') } : tool,
  ),
});

/** A request without the notes for anonymizers, which mean nothing to a model. */
function withoutOrigins(request: ModelRequest): ModelRequest {
  return {
    ...omit(request, ['system_covered', 'stop_origin', 'json_schema_origin']),
    tools: request.tools.map((tool) => omit(tool, ['origin', 'covered'])),
    messages: request.messages.map((message) =>
      message.role === 'user'
        ? { ...message, parts: message.parts.map((part) => (part.type === 'text' ? omit(part, ['covered']) : part)) }
        : message,
    ),
  };
}

/** Puts a model behind an anonymizer. Its calls are metered here, once for all callers. */
export const withAnonymizer = (model: Model, anonymizer: Anonymizer, meter?: StreamMeter): AnonymizedModel => ({
  anonymize: async (request) => withoutOrigins(showToolData(await anonymizer.anonymize(request))) as AnonymizedRequest,
  stream(request, signal, purpose, attempt) {
    const call = { request, purpose, context: anonymizer.context, signal, attempt };
    return anonymizer.restore(meter ? meterStream(model, meter, call) : model.stream(request, signal, joined));
  },
});

/** Anonymizes texts that are sent to a model outside a conversation: to embed, rank or draw. */
export async function anonymizeTexts(texts: readonly string[], anonymizer: Anonymizer): Promise<string[]> {
  const parts = texts.map((text) => ({ type: 'text' as const, text }));
  const request = await anonymizer.anonymize({
    ...plainRequest,
    model: '',
    system: '',
    max_tokens: 1,
    messages: [{ role: 'user', parts }],
  });
  const [message] = request.messages;
  const out = message?.role === 'user' ? message.parts.map((part) => (part.type === 'text' ? part.text : '')) : [];
  if (out.length !== texts.length) throw new Error('What is private in a text could not be hidden');
  return out;
}
