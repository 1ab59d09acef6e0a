import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { makeSdkModel } from '../../src/drivers/models/ai-sdk/ai-sdk-model.ts';
import type { Model } from '../../src/drivers/models/driver.ts';
import { makeRefusalMemory, type RememberedRefusals } from '../../src/drivers/models/request/refusal-memory.ts';
import type { ProviderAddress } from '../../src/drivers/providers/driver.ts';
import { sdkOptions } from '../../src/drivers/providers/sdk-options.ts';

const refusalsOf = makeRefusalMemory();

/**
 * A model by the provider package of a protocol that has a driver of its own. The program does not use it: it is what
 * the driver is compared with.
 */
export function packageModel(address: ProviderAddress, name: string, refusals?: RememberedRefusals): Model {
  const { provider, api_key } = address;
  const load = async () =>
    provider.name === 'anthropic'
      ? createAnthropic(sdkOptions(address))(name)
      : createOpenAICompatible({
          ...{ ...sdkOptions(address), name: 'compatible', includeUsage: true, supportsStructuredOutputs: true },
        }).chatModel(name);
  return makeSdkModel({
    load,
    traits: provider.traits(address, name),
    secrets: [api_key ?? ''],
    refusals: () => refusals ?? refusalsOf(address, name),
  });
}
