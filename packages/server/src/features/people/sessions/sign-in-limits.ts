import { AppError } from '@atrium/contract/errors.ts';
import { clientNetworkOf } from '../../../lib/client-network.ts';
import type { Counters } from '../../../lib/counters/ports.ts';

/** Tries of one network that may be under way in one process, so that one client does not fill its queue of hashes. */
const mostUnderWay = 8;

const tooMany = (ms: number) => {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new AppError('too_many', `Too many tries to sign in; try again in ${seconds} s`, {
    code: 'rate_limited',
    headers: { 'retry-after': String(seconds) },
  });
};

/**
 * Slows guesses of passwords for each pair of account and network. Others can lock no owner out: the owner of
 * the account signs in from another network as usual. `purpose`: tries of different kinds count apart.
 */
export function makeSignInLimits(counters: Counters, purpose: string) {
  const underWay = new Map<string, number>();

  /** Runs work that hashes a password. Throws when too much of it is under way for this network. */
  async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    const network = clientNetworkOf(address);
    const mine = underWay.get(network) ?? 0;
    if (mine >= mostUnderWay) throw tooMany(1000);
    underWay.set(network, mine + 1);
    try {
      return await work();
    } finally {
      const left = (underWay.get(network) ?? 1) - 1;
      if (left > 0) underWay.set(network, left);
      else underWay.delete(network);
    }
  }

  return {
    inTurn,

    /** Runs a try; `isRight` says how it went. Throws when this pair has to wait. */
    async run<T>(
      account: string,
      address: string,
      work: () => Promise<T>,
      isRight: (result: T) => boolean,
    ): Promise<T> {
      const pair = `${purpose}\0${account}\0${clientNetworkOf(address)}`;
      return inTurn(address, async () => {
        // Counted before the result is known, so that tries at the same moment all count.
        const wait = await counters.countTry(pair);
        if (wait > 0) throw tooMany(wait);
        const result = await work();
        if (isRight(result)) await counters.forgetTries(pair);
        return result;
      });
    },
  };
}

export type SignInLimits = ReturnType<typeof makeSignInLimits>;
