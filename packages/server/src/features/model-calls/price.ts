import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { ModelInfo } from '@atrium/contract/models/schema.ts';

/** What a call cost, in US dollars; null when the model's prices are not known. Prices are per million tokens. */
export function costOf(usage: ModelUsage, price: ModelInfo['price']): number | null {
  if (!price) return null;
  const fresh = usage.input_tokens - usage.cached_tokens;
  return (fresh * price.input + usage.cached_tokens * price.cached_input + usage.output_tokens * price.output) / 1e6;
}
