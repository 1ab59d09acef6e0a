import type { Purpose } from '@atrium/contract/models/purposes.ts';
import type { Model, ModelPart, ModelRequest } from '../../drivers/models/driver.ts';
import { counted, type ModelCallContext, type StreamMeter } from './service.ts';

/**
 * What stands between the platform and a model that is not its own. Models are only handed out behind one: whoever
 * wants to ask something has to say first what must not leave.
 */
export interface Anonymizer {
  /** The request as it may leave the platform. */
  hide(request: ModelRequest): Promise<ModelRequest>;
  /** What came back, as people and tools read it. */
  reveal(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart>;
  /** The conversation that calls behind it are made for; their cost is filed there. */
  place?: ModelCallContext;
}

/** For settings that hide nothing. */
export const openly: Anonymizer = { hide: async (request) => request, reveal: (parts) => parts };

/** For answers that are kept where nothing private belongs: what was hidden stays so. */
export const keepAnonymized = (veil: Anonymizer): Anonymizer =>
  veil === openly ? veil : { ...veil, hide: (request) => veil.hide(request), reveal: (parts) => parts };

/** The same veil, for calls that are made there. */
export const placed = (veil: Anonymizer, place: ModelCallContext): Anonymizer => ({
  hide: (request) => veil.hide(request),
  reveal: (parts) => veil.reveal(parts),
  place,
});

/** What the first anonymizer leaves goes through the second; answers come back the other way. */
export function chainAnonymizers(first: Anonymizer, second: Anonymizer): Anonymizer {
  if (first === openly) return second;
  if (second === openly) return first;
  const place = second.place ?? first.place;
  return {
    hide: async (request) => second.hide(await first.hide(request)),
    reveal: (parts) => first.reveal(second.reveal(parts)),
    ...(place && { place }),
  };
}

/** A request that may leave. Only a veil makes one, so nothing else can be said to a model. */
declare const hidden: unique symbol;
export type AnonymizedRequest = ModelRequest & { readonly [hidden]: true };

/** A model that can only be spoken to through its veil. PrivateSpan is no part of the call: it has its own time. */
export interface AnonymizedModel {
  /** Fails when what is private can't be told from the rest. */
  hide(request: ModelRequest): Promise<AnonymizedRequest>;
  stream(request: AnonymizedRequest, signal: AbortSignal, purpose: Purpose): AsyncIterable<ModelPart>;
  /** The most output tokens that a request allows besides its `max_tokens`. */
  extraTokens(request: AnonymizedRequest): number;
}

/** Whoever hands models out counts their calls: what is used is seen here, behind the veil, or nowhere. */
export const withAnonymizer = (model: Model, veil: Anonymizer, counter?: StreamMeter): AnonymizedModel => ({
  hide: (request) => veil.hide(request) as Promise<AnonymizedRequest>,
  extraTokens: (request) => model.extraTokens?.(request) ?? 0,
  stream(request, signal, purpose) {
    const parts = model.stream(request, signal);
    return veil.reveal(counter ? counted(parts, counter, { request, purpose, place: veil.place, signal }) : parts);
  },
});
