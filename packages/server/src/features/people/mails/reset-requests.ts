import { AppError, unavailable } from '@atrium/contract/errors.ts';
import { clientNetworkOf } from '../../../lib/client-network.ts';
import type { Counters } from '../../../lib/counters/ports.ts';
import type { Scope } from '../../../lib/scope.ts';
import { foldEmail } from '../fold-email.ts';
import { makeSignInLimits } from '../sessions/sign-in-limits.ts';
import type { Mailer } from './mailer.ts';

/** Requests of one network in ten minutes, for whatever addresses. */
const mostOfNetwork = 30;
const windowMs = 600_000;

/** Takes requests of people who have forgotten their password. */
export interface ResetRequests {
  readonly isAvailable: boolean;
  request(scope: Scope, email: string): Promise<void>;
}

/** Counts apart from sign-in: who asks for links from a network must not slow the owner's password there. */
export function makeResetRequests(mailer: Pick<Mailer, 'requestReset'> | undefined, counters: Counters): ResetRequests {
  const limits = makeSignInLimits(counters, 'reset');

  async function countNetwork(address: string): Promise<void> {
    const wait = await counters.countInWindow(`resets ${clientNetworkOf(address)}`, mostOfNetwork, windowMs);
    if (wait <= 0) return;
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    throw new AppError('too_many', `Too many links were asked for; try again in ${seconds} s`, {
      ...{ code: 'rate_limited', headers: { 'retry-after': String(seconds) } },
    });
  }

  return {
    isAvailable: mailer !== undefined,
    async request(scope, given) {
      if (!mailer) throw unavailable('This server sends no mail: ask an administrator for a link', 'mail_not_set');
      const email = foldEmail(given);
      const address = scope.address ?? '';
      await countNetwork(address);
      await limits.run(
        email,
        address,
        () => mailer.requestReset(email),
        () => false,
      );
    },
  };
}
