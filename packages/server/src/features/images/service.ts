import type { GeneratedImage, ImageModel } from '../../drivers/images/driver.ts';
import type { ProviderAddress } from '../../drivers/providers/driver.ts';
import { anonymizeTexts } from '../model-calls/anonymize-texts.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { type Meter, type ModelCaller, toldOf } from '../model-calls/service.ts';
import type { ModelLocator } from '../models/ports.ts';

/** An image model that can only be told what a veil lets through. */
export interface ImageGenerator {
  /** provider/model */
  name: string;
  paint(
    prompt: string,
    size: `${number}x${number}` | undefined,
    veil: Anonymizer,
    signal: AbortSignal,
  ): Promise<GeneratedImage[]>;
}

export type ImageGenerators = ReturnType<typeof makeImageGenerators>;

export function makeImageGenerators(deps: {
  locateModel: ModelLocator;
  makeImageModel(address: ProviderAddress, model: string): ImageModel;
  /** `ATRIUM_IMAGE_MODEL`. */
  model: string | undefined;
  /** Told of every call that is made. */
  meter: Meter;
}) {
  const { locateModel, makeImageModel, model, meter } = deps;
  return {
    /** The model that is configured; or why there is none. */
    async resolve(asker: ModelCaller): Promise<ImageGenerator | { reason: string }> {
      if (model === undefined)
        return { reason: 'No image model is configured: the operator sets ATRIUM_IMAGE_MODEL (provider/name)' };
      const found = await locateModel(asker, model);
      if ('reason' in found) return found;
      const { name } = found;
      return {
        name,
        async paint(prompt, size, veil, signal) {
          const [outgoing = ''] = await anonymizeTexts([prompt], veil);
          // Pictures are paid for by the piece: what one costs is not known here.
          const call = { asker, place: veil.place, purpose: 'image' as const, model: name, price: null };
          const used = () => ({ tokens: 0, estimated: true });
          let failure: unknown;
          for (const address of found.addresses) {
            signal.throwIfAborted();
            try {
              const painting = makeImageModel(address, found.model);
              return await toldOf(meter, call, () => painting.make(outgoing, size, signal), used);
            } catch (error) {
              failure = error;
            }
          }
          throw failure;
        },
      };
    },
  };
}
