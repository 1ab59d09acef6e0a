import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { Purpose } from '@atrium/contract/models/purposes.ts';
import type { ModelInfo } from '@atrium/contract/models/schema.ts';
import type { ModelPart } from '../../drivers/models/driver.ts';
import type { Actor, Scope } from '../../lib/scope.ts';
import type { AnonymizedRequest } from './ports.ts';
import { costOf } from './price.ts';

/** Who asks, as far as models are concerned. */
export type ModelCaller = Pick<Scope, 'tenant_id' | 'workspace_id'> & { actor?: Actor };

/** What a call was made in. */
export interface ModelCallContext {
  /** Null: about an agent, but in none of its conversations. */
  conversation_id: string | null;
  /** Null: about the conversation, but in none of its runs. */
  run_id: string | null;
  agent_id: string | null;
  version_id: string | null;
}

/** One call of a model, whatever came of it. */
export interface ModelCallRecord {
  asker: ModelCaller;
  place: ModelCallContext | undefined;
  purpose: Purpose;
  /** provider/name */
  model: string;
  started_at: number;
  ms: number;
  /** Until the first word, or the first call of a tool; null when there was none. */
  ttft_ms: number | null;
  status: 'ok' | 'failed' | 'stopped';
  usage: ModelUsage;
  /** The provider did not say what was used: it was guessed, as for an answer that was cut off. */
  estimated: boolean;
  cost: number | null;
  /** As it was sent; undefined where there is nothing to read in it. */
  request: AnonymizedRequest | undefined;
}

export type Meter = (call: ModelCallRecord) => void;

/** What a counted model is, and who is told of its calls. */
export interface StreamMeter {
  meter: Meter;
  asker: ModelCaller;
  info: Pick<ModelInfo, 'name' | 'price'>;
  /** For an answer that did not come to its end: of the request, and of what was said until then. */
  guess(request: AnonymizedRequest, said: string): Pick<ModelUsage, 'input_tokens' | 'output_tokens'>;
}

const noTokens: ModelUsage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

/**
 * The same parts; when they are over, the meter is told what they took. Written out instead of as a generator, which
 * would cost every token of every answer a few turns more.
 */
export function counted(
  parts: AsyncIterable<ModelPart>,
  { meter, asker, info, guess }: StreamMeter,
  call: { request: AnonymizedRequest; purpose: Purpose; place: ModelCallContext | undefined; signal: AbortSignal },
): AsyncIterable<ModelPart> {
  const { request, purpose, place, signal } = call;
  const started_at = Date.now();
  const begun = performance.now();
  let ttft_ms: number | null = null;
  let said = '';
  let usage: ModelUsage | undefined;
  let told = false;

  function end(failed: boolean): void {
    if (told) return;
    told = true;
    // What a provider refuses before it says anything costs nothing; what it has begun it lets us pay for.
    const estimated = usage === undefined && (said !== '' || signal.aborted);
    const used = usage ?? { ...noTokens, ...(estimated && guess(request, said)) };
    meter({
      ...{ asker, place, purpose, started_at, ttft_ms, estimated, request },
      model: info.name,
      ms: Math.round(performance.now() - begun),
      status: usage ? 'ok' : failed && !signal.aborted ? 'failed' : 'stopped',
      usage: used,
      cost: costOf(used, info.price),
    });
  }

  function seen(next: IteratorResult<ModelPart>): IteratorResult<ModelPart> {
    if (next.done) end(false);
    else if (next.value.type === 'finish') usage = next.value.usage;
    else if (next.value.type !== 'warning') {
      ttft_ms ??= Math.round(performance.now() - begun);
      if (next.value.type !== 'tool-call') said += next.value.text;
    }
    return next;
  }

  return {
    [Symbol.asyncIterator]() {
      const own = parts[Symbol.asyncIterator]();
      return {
        next: () =>
          own.next().then(seen, (error: unknown) => {
            end(true);
            throw error;
          }),
        async return(value) {
          await own.return?.();
          end(false);
          return { done: true, value };
        },
      };
    },
  };
}

/** A call that answers all at once, told to the meter: of vectors, scores and pictures. */
export async function toldOf<T>(
  meter: Meter,
  call: Pick<ModelCallRecord, 'asker' | 'place' | 'purpose' | 'model'> & { price: ModelInfo['price'] },
  ask: () => Promise<T>,
  /** What went in, as the provider counted it; a guess where it did not. */
  tokensOf: (answer: T) => { tokens: number; estimated: boolean },
): Promise<T> {
  const { price, ...what } = call;
  const started_at = Date.now();
  const tell = (status: 'ok' | 'failed', { tokens, estimated }: ReturnType<typeof tokensOf>) => {
    const usage = { ...noTokens, input_tokens: tokens };
    const ms = Date.now() - started_at;
    meter({
      ...what,
      started_at,
      ms,
      ttft_ms: null,
      status,
      usage,
      estimated,
      cost: costOf(usage, price),
      request: undefined,
    });
  };
  try {
    const answer = await ask();
    tell('ok', tokensOf(answer));
    return answer;
  } catch (error) {
    tell('failed', { tokens: 0, estimated: false });
    throw error;
  }
}
