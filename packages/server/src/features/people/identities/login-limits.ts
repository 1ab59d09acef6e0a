import { AppError } from '@atrium/contract/errors.ts';
import { clientNetworkOf } from '../../../lib/client-network.ts';
import { LruCache } from '../../../lib/lru-cache.ts';

/** Enough for a whole office in the morning; each sign-in that is started is a row until it expires. */
const mostStarts = 300;
const minute = 60_000;

/** Limits how many sign-ins at providers one network can start in a minute. Kept in the memory of this node. */
export function makeLoginLimits(now: () => number = Date.now) {
  const known = new LruCache<string, { count: number; since: number }>({ max: 50_000 });
  return (address: string): void => {
    const network = clientNetworkOf(address);
    const entry = known.get(network);
    const fresh = entry && now() - entry.since < minute ? entry : { count: 0, since: now() };
    if (fresh.count >= mostStarts) {
      const seconds = Math.max(1, Math.ceil((fresh.since + minute - now()) / 1000));
      throw new AppError('too_many', `Too many sign-ins were started; try again in ${seconds} s`, {
        ...{ code: 'rate_limited', headers: { 'retry-after': String(seconds) } },
      });
    }
    known.set(network, { count: fresh.count + 1, since: fresh.since });
  };
}
