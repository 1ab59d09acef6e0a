import type { LanguageModelV4 } from '@ai-sdk/provider';
import { aiSdkModel } from '../models/ai-sdk/ai-sdk-model.ts';
import type { Model } from '../models/driver.ts';
import type { ProviderAddress } from './driver.ts';

const cachedModels = new WeakMap<ProviderAddress, Map<string, Promise<LanguageModelV4>>>();
const max_models = 100;

/** Builds a model once for an address and keeps it as long as that: building one costs more than an answer's statements. */
function languageModel(address: ProviderAddress, name: string): Promise<LanguageModelV4> {
  const ofAddress = cachedModels.get(address) ?? new Map<string, Promise<LanguageModelV4>>();
  const cached = ofAddress.get(name);
  if (cached) return cached;
  // Names come from callers and may be anything, so the cache must not grow with them.
  if (ofAddress.size >= max_models) ofAddress.clear();
  const model = address.provider.language(address, name);
  cachedModels.set(address, ofAddress.set(name, model));
  // The caller gets the error; a later call must be able to try again.
  model.catch(() => ofAddress.delete(name));
  return model;
}

/** A model at one address of a provider. Nothing is loaded or sent before the first request. */
export function makeModel(address: ProviderAddress, model: string): Model {
  const secrets = [address.api_key, address.secret_access_key, address.access_key_id].filter((text) => text != null);
  return aiSdkModel((name) => languageModel(address, name || model), address.provider.traits(address, model), secrets);
}
