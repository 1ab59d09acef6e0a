import type { Model, ModelPart, ModelRequest } from '../../drivers/models/driver.ts';

/**
 * What stands between the platform and a model that is not its own. Models are only handed out behind one: whoever
 * wants to ask something has to say first what must not leave.
 */
export interface Veil {
  /** The request as it may leave the platform. */
  hide(request: ModelRequest): Promise<ModelRequest>;
  /** What came back, as people and tools read it. */
  reveal(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart>;
}

/** For settings that hide nothing. */
export const openly: Veil = { hide: async (request) => request, reveal: (parts) => parts };

/** For answers that are kept where nothing private belongs: what was hidden stays so. */
export const oneWay = (veil: Veil): Veil =>
  veil === openly ? veil : { hide: (request) => veil.hide(request), reveal: (parts) => parts };

/** What is private could not be told from the rest. Nothing was sent, and trying elsewhere would not help. */
export class HidingFailed extends Error {}

export function veiled(model: Model, veil: Veil): Model {
  if (veil === openly) return model;
  return {
    async *stream(request, signal) {
      const hidden = await veil.hide(request).catch((cause) => {
        throw new HidingFailed('Private data could not be hidden', { cause });
      });
      yield* veil.reveal(model.stream(hidden, signal));
    },
  };
}
