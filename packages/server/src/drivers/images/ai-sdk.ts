import type { ImageModelV4 } from '@ai-sdk/provider';
import { ModelError } from '../models/driver.ts';
import type { ProviderAddress } from '../providers/driver.ts';
import type { ImageModel } from './driver.ts';

function loadImageModel(address: ProviderAddress, model: string): Promise<ImageModelV4> {
  const { images } = address.provider;
  if (!images) throw new ModelError('No image models of this provider can be used here', { status: 404 });
  return images(address, model);
}

/** An image model at one address of a provider. Nothing is loaded or sent before it is asked. */
export function makeImageModel(address: ProviderAddress, model: string): ImageModel {
  const secrets = [address.api_key, address.secret_access_key, address.access_key_id].filter((text) => text != null);
  return {
    async make(prompt, size, signal) {
      try {
        const imageModel = await loadImageModel(address, model);
        const { images } = await imageModel.doGenerate({
          ...{ prompt, n: 1, size, aspectRatio: undefined, seed: undefined, files: undefined, mask: undefined },
          providerOptions: {},
          abortSignal: signal,
        });
        return images.map((image) => ({ data: typeof image === 'string' ? Buffer.from(image, 'base64') : image }));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        // Loaded with the first error: the program starts without the provider packages.
        throw (await import('../models/ai-sdk/sdk-errors.ts')).sdkModelError(error, secrets);
      }
    },
  };
}
