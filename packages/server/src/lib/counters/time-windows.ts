import { LruCache } from '../lru-cache.ts';

const mostKnown = 50_000;

/** Counts up to a number in a window that begins with the first of them. */
export function makeTimeWindows(now: () => number) {
  const windows = new LruCache<string, { count: number; since: number }>({ max: mostKnown });
  return (key: string, most: number, window_ms: number): number => {
    const known = windows.get(key);
    const window = known && now() - known.since < window_ms ? known : { count: 0, since: now() };
    if (window.count >= most) return window.since + window_ms - now();
    windows.set(key, { count: window.count + 1, since: window.since });
    return 0;
  };
}
