import type { LanguageModelV4 } from '@ai-sdk/provider';
import { LruCache } from '../../lib/lru-cache.ts';
import { aiSdkModel } from '../models/ai-sdk/ai-sdk-model.ts';
import type { Model } from '../models/driver.ts';
import type { ProviderAddress } from './driver.ts';

const cachedModels = new WeakMap<ProviderAddress, LruCache<string, Promise<LanguageModelV4>>>();
/** Model names come from callers and may be anything, so the cache must not grow with them. */
const max_models = 100;

/** Builds a model once for an address and keeps it as long as that: building one costs more than an answer's statements. */
function languageModel(address: ProviderAddress, name: string): Promise<LanguageModelV4> {
  const ofAddress = cachedModels.get(address) ?? new LruCache<string, Promise<LanguageModelV4>>({ max: max_models });
  const cached = ofAddress.get(name);
  if (cached) return cached;
  const model = address.provider.language(address, name);
  ofAddress.set(name, model);
  cachedModels.set(address, ofAddress);
  // The caller gets the error; a later call must be able to try again.
  model.catch(() => ofAddress.delete(name));
  return model;
}

/** A model at one address of a provider. Nothing is loaded or sent before the first request. */
export function makeModel(address: ProviderAddress, model: string): Model {
  const secrets = [address.api_key, address.secret_access_key, address.access_key_id].filter((text) => text != null);
  return aiSdkModel((name) => languageModel(address, name || model), address.provider.traits(address, model), secrets);
}
