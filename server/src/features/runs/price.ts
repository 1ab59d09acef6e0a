import type { ModelUsage } from '../../drivers/models/driver.ts';
import type { ModelInfo } from '../models/registry.ts';
import type { Usage } from './events.ts';

/** What a call cost, in US dollars; null when the model's prices are not known. Prices are per million tokens. */
export function priced(usage: ModelUsage, price: ModelInfo['price']): Usage {
  if (!price) return { ...usage, cost: null };
  const fresh = usage.input_tokens - usage.cached_tokens;
  const cost =
    (fresh * price.input + usage.cached_tokens * price.cached_input + usage.output_tokens * price.output) / 1e6;
  return { ...usage, cost };
}
