import { LruCache } from '../lru-cache.ts';

const mostKnown = 20_000;

/** A client that has saved tokens up may take that many at once. */
export function makeTokenBuckets(now: () => number) {
  const buckets = new LruCache<string, { tokens: number; at: number }>({ max: mostKnown });
  return (key: string, limit: number, refill_ms: number): number => {
    const at = now();
    const known = buckets.get(key) ?? { tokens: limit, at };
    const tokens = Math.min(limit, known.tokens + ((at - known.at) / refill_ms) * limit);
    buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at });
    return tokens;
  };
}
