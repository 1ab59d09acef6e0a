import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { Purpose } from '@atrium/contract/models/purposes.ts';
import type { ModelInfo } from '@atrium/contract/models/schema.ts';
import { type Model, type ModelPart, type ModelRequest, plainRequest } from '../../drivers/models/driver.ts';
import { omit } from '../../lib/omit.ts';
import type {
  AnonymizedModel,
  AnonymizedRequest,
  Anonymizer,
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

const noTokens: ModelUsage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

/**
 * Passes the parts of an answer on and records the call when they end. Written without a generator, which would cost
 * every token of every answer a few more turns of the event loop.
 */
function meterStream(
  parts: AsyncIterable<ModelPart>,
  { meter, caller, info, guess }: StreamMeter,
  call: { request: AnonymizedRequest; purpose: Purpose; context: ModelCallContext | undefined; signal: AbortSignal },
): AsyncIterable<ModelPart> {
  const { request, purpose, context, signal } = call;
  const started_at = Date.now();
  const started = performance.now();
  let ttft_ms: number | null = null;
  let text = '';
  let usage: ModelUsage | undefined;
  let recorded = false;

  function record(failed: boolean): void {
    if (recorded) return;
    recorded = true;
    // A provider charges for an answer it has begun, and nothing for a request it refuses before that.
    const estimated = usage === undefined && (text !== '' || signal.aborted);
    const used = usage ?? { ...noTokens, ...(estimated && guess(request, text)) };
    meter({
      ...{ caller, context, purpose, started_at, ttft_ms, estimated, request },
      model: info.name,
      ms: Math.round(performance.now() - started),
      status: usage ? 'ok' : failed && !signal.aborted ? 'failed' : 'stopped',
      usage: used,
      cost: costOf(used, info.price),
    });
  }

  function inspect(next: IteratorResult<ModelPart>): IteratorResult<ModelPart> {
    if (next.done) record(false);
    else if (next.value.type === 'finish') usage = next.value.usage;
    else if (next.value.type !== 'warning') {
      ttft_ms ??= Math.round(performance.now() - started);
      if (next.value.type !== 'tool-call') text += next.value.text;
    }
    return next;
  }

  return {
    [Symbol.asyncIterator]() {
      const iterator = parts[Symbol.asyncIterator]();
      return {
        next: () =>
          iterator.next().then(inspect, (error: unknown) => {
            record(true);
            throw error;
          }),
        async return(value) {
          await iterator.return?.();
          record(false);
          return { done: true, value };
        },
      };
    },
  };
}

/** Makes a call that answers all at once, for vectors, scores or pictures, and records it. */
export async function meterCall<T>(
  meter: Meter,
  call: Pick<ModelCallRecord, 'caller' | 'context' | 'purpose' | 'model'> & { price: ModelInfo['price'] },
  ask: () => Promise<T>,
  /** The input tokens that the provider reported, or an estimate. */
  tokensOf: (answer: T) => { tokens: number; estimated: boolean },
): Promise<T> {
  const { price, ...rest } = call;
  const started_at = Date.now();
  const record = (status: 'ok' | 'failed', tokens: number, estimated: boolean) => {
    const usage = { ...noTokens, input_tokens: tokens };
    const ms = Date.now() - started_at;
    const cost = costOf(usage, price);
    meter({ ...rest, started_at, ms, ttft_ms: null, status, usage, estimated, cost, request: undefined });
  };
  try {
    const answer = await ask();
    const { tokens, estimated } = tokensOf(answer);
    record('ok', tokens, estimated);
    return answer;
  } catch (error) {
    record('failed', 0, false);
    throw error;
  }
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
  stream(request, signal, purpose) {
    const parts = model.stream(request, signal);
    const call = { request, purpose, context: anonymizer.context, signal };
    return anonymizer.restore(meter ? meterStream(parts, meter, call) : parts);
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
