import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { Usage } from '@atrium/contract/runs/events.ts';
import { costOf } from '../../model-calls/service.ts';
import type { ModelInfo } from '../../models/service.ts';

/** The usage of a call with its cost. */
export const priced = (usage: ModelUsage, price: ModelInfo['price']): Usage => ({
  ...usage,
  cost: costOf(usage, price),
});
