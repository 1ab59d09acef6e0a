import { LruCache } from '../../../lib/lru-cache.ts';
import type { ProviderAddress } from '../../providers/driver.ts';
import type { Refusals, Setting } from './call-options.ts';

/** Model names come from callers and may be anything, so the memory must not grow with them. */
const max_models = 1000;
/** Servers are updated, so a refused setting is tried again after a day. */
const kept_ms = 24 * 60 * 60_000;

export interface RememberedRefusals extends Refusals {
  settings: Set<Setting>;
  until: number;
}

type Address = Pick<ProviderAddress, 'base_url' | 'api_key' | 'api_version' | 'region'> & {
  provider: Pick<ProviderAddress['provider'], 'name'>;
};

/** Remembers what models have refused, for all callers of this node, so that later requests leave it out at once. */
export function makeRefusalMemory() {
  const refusals = new LruCache<string, RememberedRefusals>({ max: max_models });
  return (address: Address, model: string, now = Date.now()): RememberedRefusals => {
    // With another key the same server may offer another model under this name.
    const { provider, base_url, api_key, api_version, region } = address;
    const key = JSON.stringify([provider.name, base_url, api_key, api_version, region, model]);
    const known = refusals.get(key);
    if (known && known.until > now) return known;
    const empty = { settings: new Set<Setting>(), max_tokens: null, until: now + kept_ms };
    refusals.set(key, empty);
    return empty;
  };
}
