import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { Purpose } from '@atrium/contract/models/purposes.ts';
import type { ModelInfo } from '@atrium/contract/models/schema.ts';
import type { ModelPart } from '../../drivers/models/driver.ts';
import type { AnonymizedRequest, Meter, ModelCallContext, ModelCallRecord, StreamMeter } from './ports.ts';
import { costOf } from './price.ts';

const noTokens: ModelUsage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

/**
 * Passes the parts of an answer on and records the call when they end. Written without a generator, which would cost
 * every token of every answer a few more turns of the event loop.
 */
export function meterStream(
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
