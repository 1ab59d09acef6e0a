import type { GeneratedImage, ImageModel } from '../../drivers/images/driver.ts';
import type { ProviderAddress } from '../../drivers/providers/driver.ts';
import { throwIfFinal } from '../../lib/budget-reached.ts';
import type { Anonymizer, Meter, ModelCaller } from '../model-calls/ports.ts';
import { anonymizeTexts, meterCall } from '../model-calls/service.ts';
import type { ModelLocator } from '../models/ports.ts';

/** An image model whose prompts go through an anonymizer. */
export interface ImageGenerator {
  /** provider/model */
  name: string;
  generate(
    prompt: string,
    size: `${number}x${number}` | undefined,
    anonymizer: Anonymizer,
    signal: AbortSignal,
  ): Promise<GeneratedImage[]>;
}

export interface ImageGenerators {
  /** The model that is configured; or why there is none. */
  resolve(caller: ModelCaller): Promise<ImageGenerator | { reason: string }>;
}

export function makeImageGenerators(deps: {
  locateModel: ModelLocator;
  makeImageModel(address: ProviderAddress, model: string): ImageModel;
  /** The default model of images now. */
  default_model(): string | undefined;
  /** Records every call. */
  meter: Meter;
}): ImageGenerators {
  const { locateModel, makeImageModel, default_model, meter } = deps;
  return {
    async resolve(caller) {
      const model = default_model();
      if (model === undefined)
        return { reason: 'No image model is configured: the operator sets ATRIUM_IMAGE_MODEL (provider/name)' };
      const located = await locateModel(caller, model);
      if ('reason' in located) return located;
      const { name } = located;
      return {
        name,
        async generate(prompt, size, anonymizer, signal) {
          const [outgoing = ''] = await anonymizeTexts([prompt], anonymizer);
          // Images are priced by the piece, and the catalogue has no such prices.
          const { context } = anonymizer;
          const call = { caller, context, purpose: 'image' as const, model: name, price: null, texts: [outgoing] };
          const used = () => ({ tokens: 0, estimated: true });
          let failure: unknown;
          for (const address of located.addresses) {
            signal.throwIfAborted();
            try {
              const imageModel = makeImageModel(address, located.model);
              return await meterCall(meter, call, signal, () => imageModel.make(outgoing, size, signal), used);
            } catch (error) {
              throwIfFinal(error);
              failure = error;
            }
          }
          throw failure;
        },
      };
    },
  };
}
