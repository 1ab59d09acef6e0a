import type { ImageModelV4 } from '@ai-sdk/provider';
import { ModelError } from '../models/driver.ts';
import { asModelError } from '../models/model-errors.ts';
import { isDefaultAddress, type ProviderAddress } from '../providers/driver.ts';
import { sdkOptions } from '../providers/sdk-options.ts';
import type { ImageModel } from './driver.ts';

/** Each package is loaded when the first model of it is asked. */
async function imageModel(address: ProviderAddress, model: string): Promise<ImageModelV4> {
  const { provider, base_url } = address;
  const common = sdkOptions(address);
  if (provider === 'openai' && isDefaultAddress('openai', base_url))
    return (await import('@ai-sdk/openai')).createOpenAI(common).image(model);
  if (provider === 'openai' || provider === 'openai-compatible')
    return (await import('@ai-sdk/openai-compatible'))
      .createOpenAICompatible({ ...common, name: 'compatible' })
      .imageModel(model);
  if (provider === 'google') return (await import('@ai-sdk/google')).createGoogle(common).image(model);
  if (provider === 'azure') return (await import('@ai-sdk/azure')).createAzure(common).imageModel(model);
  throw new ModelError('No image models of this provider can be used here', { status: 404 });
}

/** An image model at one address of a provider. Nothing is loaded or sent before it is asked. */
export function makeImageModel(address: ProviderAddress, model: string): ImageModel {
  const secrets = [address.api_key, address.secret_access_key, address.access_key_id].filter((text) => text != null);
  return {
    async make(prompt, size, signal) {
      try {
        const own = await imageModel(address, model);
        const { images } = await own.doGenerate({
          ...{ prompt, n: 1, size, aspectRatio: undefined, seed: undefined, files: undefined, mask: undefined },
          providerOptions: {},
          abortSignal: signal,
        });
        return images.map((image) => ({ data: typeof image === 'string' ? Buffer.from(image, 'base64') : image }));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw asModelError(error, secrets);
      }
    },
  };
}
