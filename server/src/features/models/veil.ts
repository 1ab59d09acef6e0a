import type { Model, ModelPart, ModelRequest } from '../../drivers/models/driver.ts';
import { type CallPlace, type Counter, counted } from './meter.ts';
import type { Purpose } from './purpose-schema.ts';

/**
 * What stands between the platform and a model that is not its own. Models are only handed out behind one: whoever
 * wants to ask something has to say first what must not leave.
 */
export interface Veil {
  /** The request as it may leave the platform. */
  hide(request: ModelRequest): Promise<ModelRequest>;
  /** What came back, as people and tools read it. */
  reveal(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart>;
  /** The conversation that calls behind it are made for; their cost is filed there. */
  place?: CallPlace;
}

/** For settings that hide nothing. */
export const openly: Veil = { hide: async (request) => request, reveal: (parts) => parts };

/** For answers that are kept where nothing private belongs: what was hidden stays so. */
export const oneWay = (veil: Veil): Veil =>
  veil === openly ? veil : { ...veil, hide: (request) => veil.hide(request), reveal: (parts) => parts };

/** The same veil, for calls that are made there. */
export const placed = (veil: Veil, place: CallPlace): Veil => ({
  hide: (request) => veil.hide(request),
  reveal: (parts) => veil.reveal(parts),
  place,
});

/** What the first anonymizer leaves goes through the second; answers come back the other way. */
export function chained(first: Veil, second: Veil): Veil {
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
export type HiddenRequest = ModelRequest & { readonly [hidden]: true };

/** A model that can only be spoken to through its veil. Hiding is no part of the call: it has its own time. */
export interface VeiledModel {
  /** Fails when what is private can't be told from the rest. */
  hide(request: ModelRequest): Promise<HiddenRequest>;
  stream(request: HiddenRequest, signal: AbortSignal, purpose: Purpose): AsyncIterable<ModelPart>;
  /** The most output tokens that a request allows besides its `max_tokens`. */
  extraTokens(request: HiddenRequest): number;
}

/** Whoever hands models out counts their calls: what is used is seen here, behind the veil, or nowhere. */
export const veiled = (model: Model, veil: Veil, counter?: Counter): VeiledModel => ({
  hide: (request) => veil.hide(request) as Promise<HiddenRequest>,
  extraTokens: (request) => model.extraTokens?.(request) ?? 0,
  stream(request, signal, purpose) {
    const parts = model.stream(request, signal);
    return veil.reveal(counter ? counted(parts, counter, { request, purpose, place: veil.place, signal }) : parts);
  },
});
