import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@atrium/contract/errors.ts';
import { clientNetworkOf } from '../lib/client-network.ts';
import type { Counters } from '../lib/counters/ports.ts';
import { makeTokenBuckets } from '../lib/counters/token-buckets.ts';
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
  count(
    principal: Pick<Principal, 'actor' | 'rate_limit'>,
  ): RateLimitHeaders | undefined | Promise<RateLimitHeaders | undefined>;
}

export type RateLimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>;

const mostProven = 10_000;
const windowSeconds = 60;
/** Limits of this many requests a minute and more are counted by each process alone: asking another one costs every request. */
const countedAlone = 6000;

/** As draft-ietf-httpapi-ratelimit-headers writes them; `t`: the seconds until all requests are there again. */
const rateLimitHeaders = (limit: number, left: number): RateLimitHeaders => ({
  'ratelimit-policy': `"requests";q=${limit};w=${windowSeconds}`,
  ratelimit: `"requests";r=${Math.floor(left)};t=${Math.ceil(((limit - left) / limit) * windowSeconds)}`,
});

const tooMany = (message: string, seconds: number, more: Record<string, string> = {}) =>
  new AppError('too_many', `${message}; try again in ${seconds} s`, {
    code: 'rate_limited',
    headers: { 'retry-after': String(seconds), ...more },
  });

/** How many requests a key may make, and how many wrong keys may come from an address. */
export function makeRequestLimits(options: {
  requests_per_minute: number;
  failed_keys_per_address: number;
  counters: Counters;
}): RequestLimits {
  const { requests_per_minute, failed_keys_per_address: most, counters } = options;
  /** Digests of keys that were right before. They never wait, even if wrong keys come from their address. */
  const proven = new LruCache<string, true>({ max: mostProven });

  const slowed = (count: number) =>
    tooMany('Too many wrong API keys came from this address', Math.min(60, 2 ** Math.min(6, count - most)));

  async function waitForTurn(network: string): Promise<void> {
    const wait = await counters.takeTurn(network, most);
    if (wait < 0) throw slowed(-wait);
    if (wait > 0) await sleep(wait);
  }

  async function countWrongKey(network: string): Promise<void> {
    const count = await counters.countWrongKey(network);
    if (count > most) throw slowed(count);
  }

  const takeAlone = makeTokenBuckets(() => Date.now());

  async function takeFromMachine(actor: Principal['actor'], limit: number): Promise<RateLimitHeaders> {
    return tell(actor, limit, await counters.takeToken(`requests ${actor.id}`, limit, windowSeconds * 1000));
  }

  /** The headers about a request, of which there were so many before it; throws when there was none left. */
  function tell({ kind }: Principal['actor'], limit: number, requests: number): RateLimitHeaders {
    const rest = requests < 1 ? requests : requests - 1;
    if (requests >= 1) return rateLimitHeaders(limit, rest);
    const seconds = Math.max(1, Math.ceil(((1 - requests) * windowSeconds) / limit));
    throw tooMany(`This ${kind === 'person' ? 'person' : 'API key'} may make ${limit} requests a minute`, seconds, {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(seconds),
      ...rateLimitHeaders(limit, rest),
    });
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
        await countWrongKey(network);
      }
      return principal;
    },

    // Without a limit there is nothing to wait for.
    count({ actor, rate_limit }) {
      const limit = rate_limit ?? requests_per_minute;
      if (limit === 0 || !(actor.kind === 'api_key' || actor.kind === 'person')) return undefined;
      if (limit < countedAlone) return takeFromMachine(actor, limit);
      return tell(actor, limit, takeAlone(actor.id, limit, windowSeconds * 1000));
    },
  };
}
