import { AppError } from '@atrium/contract/errors.ts';
import type { Counters } from '../../lib/counters/ports.ts';

/** Limits the requests of each workspace to a number per second, with bursts of up to that number. */
export function makeRateLimit(per_second: number, counters: Counters) {
  return async (workspace_id: string): Promise<void> => {
    if ((await counters.takeToken(`analytics ${workspace_id}`, per_second, 1000)) >= 1) return;
    throw new AppError('too_many', `Analytics can be asked ${per_second} times a second`, {
      code: 'rate_limited',
      headers: {
        'retry-after': '1',
        'ratelimit-limit': String(per_second),
        'ratelimit-remaining': '0',
        'ratelimit-reset': '1',
      },
    });
  };
}
