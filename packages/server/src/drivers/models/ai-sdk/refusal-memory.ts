import { LruCache } from '../../../lib/lru-cache.ts';
import type { Refusals, Setting } from './call-options.ts';

/** Model names come from callers and may be anything, so the memory must not grow with them. */
const max_models = 100;
/** Servers are updated, so a refused setting is tried again after a day. */
const kept_ms = 24 * 60 * 60_000;

export interface RememberedRefusals extends Refusals {
  settings: Set<Setting>;
  until: number;
}

const refusalsByAddress = new WeakMap<object, LruCache<string, RememberedRefusals>>();

/**
 * The settings that a model at an address has refused, for all callers of this node. A changed account has new address
 * objects, so a change forgets them.
 */
export function refusalsOf(address: object, model: string, now = Date.now()): RememberedRefusals {
  const ofAddress = refusalsByAddress.get(address) ?? new LruCache<string, RememberedRefusals>({ max: max_models });
  refusalsByAddress.set(address, ofAddress);
  const known = ofAddress.get(model);
  if (known && known.until > now) return known;
  const empty = { settings: new Set<Setting>(), max_tokens: null, until: now + kept_ms };
  ofAddress.set(model, empty);
  return empty;
}
