import { LruCache } from '../lru-cache.ts';

/** Failures in a row before the next try has to wait. */
const freeTries = 5;
const longestWait = 60_000;
const forgetAfter = 3_600_000;
const mostKnown = 50_000;

/** Slows tries down that fail again and again. Each counts as failed until it is forgotten, so that tries at one moment all count. */
export function makeFailedTries(now: () => number) {
  const failures = new LruCache<string, { count: number; last: number; next: number }>({ max: mostKnown });
  return {
    count(key: string): number {
      const known = failures.get(key);
      if (known && now() < known.next) return known.next - now();
      const count = (known && now() - known.last < forgetAfter ? known.count : 0) + 1;
      const wait = count < freeTries ? 0 : Math.min(longestWait, 1000 * 2 ** (count - freeTries));
      failures.set(key, { count, last: now(), next: now() + wait });
      return 0;
    },
    forget(key: string): number {
      failures.delete(key);
      return 0;
    },
  };
}
