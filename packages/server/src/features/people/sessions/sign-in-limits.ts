import { AppError } from '@atrium/contract/errors.ts';
import { clientNetworkOf } from '../../../lib/client-network.ts';
import { LruCache } from '../../../lib/lru-cache.ts';

/** Wrong passwords for one account from one network before tries from there have to wait. */
const freeTries = 5;
const longestWait = 60_000;
const forgetAfter = 3_600_000;
/** Tries of one network that may be under way at once, so that one client does not fill the queue of hashes. */
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
 * the account signs in from another network as usual. Kept in the memory of this node.
 */
export function makeSignInLimits(now: () => number = Date.now) {
  const failures = new LruCache<string, { count: number; last: number; next: number }>({ max: 50_000 });
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

  function countFailure(pair: string): void {
    const known = failures.get(pair);
    const count = (known && now() - known.last < forgetAfter ? known.count : 0) + 1;
    const wait = count < freeTries ? 0 : Math.min(longestWait, 1000 * 2 ** (count - freeTries));
    failures.set(pair, { count, last: now(), next: now() + wait });
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
      const pair = `${account}\0${clientNetworkOf(address)}`;
      const known = failures.get(pair);
      if (known && now() < known.next) throw tooMany(known.next - now());
      return inTurn(address, async () => {
        // Counted before the result is known, so that tries at the same moment all count.
        countFailure(pair);
        const result = await work();
        if (isRight(result)) failures.delete(pair);
        return result;
      });
    },
  };
}

export type SignInLimits = ReturnType<typeof makeSignInLimits>;
