import { AppError } from '@atrium/contract/errors.ts';
import { clientNetworkOf } from '../../../lib/client-network.ts';
import type { Counters } from '../../../lib/counters/ports.ts';

/** Enough for a whole office in the morning; each sign-in that is started is a row until it expires. */
const mostStarts = 300;
const minute = 60_000;

/** Limits how many sign-ins at providers one network can start in a minute. */
export function makeLoginLimits(counters: Counters) {
  return async (address: string): Promise<void> => {
    const wait = await counters.countInWindow(`sign-in starts ${clientNetworkOf(address)}`, mostStarts, minute);
    if (wait <= 0) return;
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    throw new AppError('too_many', `Too many sign-ins were started; try again in ${seconds} s`, {
      ...{ code: 'rate_limited', headers: { 'retry-after': String(seconds) } },
    });
  };
}
