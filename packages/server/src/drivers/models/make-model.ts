import type { ProviderAddress } from '../providers/driver.ts';
import { loadSdkModel, makeSdkModel } from './ai-sdk/ai-sdk-model.ts';
import { makeDirectModel } from './direct/direct-model.ts';
import type { Model } from './driver.ts';
import { makeRefusalMemory } from './request/refusal-memory.ts';

const refusalsOf = makeRefusalMemory();

/**
 * A model at one address of a provider: by a driver of our own where the address speaks one of its protocols, by the
 * provider's package elsewhere. Nothing is loaded or sent before the first request.
 */
export function makeModel(address: ProviderAddress, model: string): Model {
  const { provider, api_key, secret_access_key, access_key_id } = address;
  const common = {
    traits: provider.traits(address, model),
    secrets: [api_key, secret_access_key, access_key_id].filter((text) => text != null),
    refusals: (name: string) => refusalsOf(address, name || model),
  };
  const protocol = provider.protocol?.(address);
  if (!protocol) return makeSdkModel({ ...common, load: (name) => loadSdkModel(address, name || model) });
  return makeDirectModel({ ...common, address, protocol, model });
}
