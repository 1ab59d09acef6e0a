import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@atrium/contract/errors.ts';
import { clientNetworkOf } from '../lib/client-network.ts';
import { LruCache } from '../lib/lru-cache.ts';
import type { Principal } from '../lib/scope.ts';

export interface RequestLimits {
  /** Resolves a key to its principal. A wrong key counts for its address; throws when the address has sent too many. */
  identify(
    credential: string,
    address: string,
    resolve: (credential: string) => Promise<Principal | undefined>,
  ): Promise<Principal | undefined>;
  /**
   * Counts a request of a key or a person. One that has saved some up may make that many at once. Returns the headers
   * that say what is left, where a limit holds.
   */
  count(principal: Pick<Principal, 'actor' | 'rate_limit'>): RateLimitHeaders | undefined;
}

export type RateLimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>;

const mostKnown = 10_000;
const windowSeconds = 60;

/** As draft-ietf-httpapi-ratelimit-headers writes them; `t`: the seconds until all requests are there again. */
const rateLimitHeaders = (limit: number, left: number): RateLimitHeaders => ({
  'ratelimit-policy': `"requests";q=${limit};w=${windowSeconds}`,
  ratelimit: `"requests";r=${Math.floor(left)};t=${Math.ceil(((limit - left) / limit) * windowSeconds)}`,
});
/** Wrong keys are forgotten when none has come for so long. */
const forgetAfter = 600_000;
/** After too many wrong keys from an address, unknown keys from it are checked one at a time, this far apart. */
const spacing = 250;
const mostWaiting = 20;

const tooMany = (message: string, seconds: number, more: Record<string, string> = {}) =>
  new AppError('too_many', `${message}; try again in ${seconds} s`, {
    code: 'rate_limited',
    headers: { 'retry-after': String(seconds), ...more },
  });

interface Failures {
  count: number;
  last: number;
  /** When the next unknown key from here is looked at. */
  next: number;
  waiting: number;
}

/**
 * How many requests a key may make, and how many wrong keys may come from an address. Kept in the memory of this node:
 * several nodes count for themselves.
 */
export function makeRequestLimits(options: {
  requests_per_minute: number;
  failed_keys_per_address: number;
  now?: () => number;
}): RequestLimits {
  const { requests_per_minute, failed_keys_per_address: most, now = Date.now } = options;
  const left = new LruCache<string, { requests: number; at: number }>({ max: mostKnown });
  const failures = new LruCache<string, Failures>({ max: mostKnown });
  /** Digests of keys that were right before. They never wait, even if wrong keys come from their address. */
  const proven = new LruCache<string, true>({ max: mostKnown });

  function failuresAt(network: string): Failures | undefined {
    const known = failures.get(network);
    return known && now() - known.last < forgetAfter ? known : undefined;
  }

  /** Many clients may share the address: a right key waits for its turn only, a wrong one longer each time. */
  async function waitForTurn(network: string): Promise<void> {
    const known = failuresAt(network);
    if (!known || known.count < most) return;
    if (known.waiting >= mostWaiting) throw slowed(known);
    const turn = Math.max(now(), known.next);
    known.next = turn + spacing;
    known.waiting++;
    try {
      await sleep(turn - now());
    } finally {
      known.waiting--;
    }
  }

  const slowed = ({ count }: Failures) =>
    tooMany('Too many wrong API keys came from this address', Math.min(60, 2 ** Math.min(6, count - most)));

  function noteFailure(network: string): void {
    const known = failuresAt(network) ?? { count: 0, last: 0, next: 0, waiting: 0 };
    known.count++;
    known.last = now();
    failures.set(network, known);
    if (known.count > most) throw slowed(known);
  }

  return {
    async identify(credential, address, resolve) {
      if (most === 0) return resolve(credential);
      const digest = hash('sha256', credential, 'base64');
      const network = clientNetworkOf(address);
      if (!proven.has(digest)) await waitForTurn(network);
      const principal = await resolve(credential);
      if (principal) proven.set(digest, true);
      else {
        proven.delete(digest);
        noteFailure(network);
      }
      return principal;
    },

    count({ actor, rate_limit }) {
      const limit = rate_limit ?? requests_per_minute;
      if (limit === 0 || !(actor.kind === 'api_key' || actor.kind === 'person')) return undefined;
      const at = now();
      const known = left.get(actor.id) ?? { requests: limit, at };
      const requests = Math.min(limit, known.requests + ((at - known.at) / 60_000) * limit);
      const rest = requests < 1 ? requests : requests - 1;
      left.set(actor.id, { requests: rest, at });
      if (requests >= 1) return rateLimitHeaders(limit, rest);
      const seconds = Math.max(1, Math.ceil(((1 - requests) * 60) / limit));
      throw tooMany(
        `This ${actor.kind === 'person' ? 'person' : 'API key'} may make ${limit} requests a minute`,
        seconds,
        {
          'ratelimit-limit': String(limit),
          'ratelimit-remaining': '0',
          'ratelimit-reset': String(seconds),
          ...rateLimitHeaders(limit, rest),
        },
      );
    },
  };
}
