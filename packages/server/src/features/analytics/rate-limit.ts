import { AppError } from '@atrium/contract/errors.ts';
import { LruCache } from '../../lib/lru-cache.ts';

const max_workspaces = 10_000;

/** Limits the requests of each workspace to a number per second, with bursts of up to that number. */
export function makeRateLimit(per_second: number, now: () => number = () => Date.now()) {
  const left = new LruCache<string, { tokens: number; at: number }>({ max: max_workspaces });
  return (workspace_id: string): void => {
    const at = now();
    const known = left.get(workspace_id) ?? { tokens: per_second, at };
    const tokens = Math.min(per_second, known.tokens + ((at - known.at) / 1000) * per_second);
    left.set(workspace_id, { tokens: tokens < 1 ? tokens : tokens - 1, at });
    if (tokens >= 1) return;
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
