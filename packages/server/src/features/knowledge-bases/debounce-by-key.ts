import { LruCache } from '../../lib/lru-cache.ts';

const mostKeys = 1000;

/** Joins calls with the same key within a short time into one. While many calls come, the time is longer. */
export function makeKeyedDebounce(
  call: (key: string) => Promise<void>,
  { soon_ms, busy_ms }: { soon_ms: number; busy_ms: number },
) {
  const waiting = new Map<string, NodeJS.Timeout>();
  const lastCalls = new LruCache<string, number>({ max: mostKeys });
  return {
    nudge(key: string): void {
      if (waiting.has(key)) return;
      const since = Date.now() - (lastCalls.get(key) ?? 0);
      const after_ms = since < 2 * busy_ms ? busy_ms : soon_ms;
      const timer = setTimeout(() => {
        waiting.delete(key);
        lastCalls.set(key, Date.now());
        // A lost call only delays the sync: the job that settles trainings queues it too.
        call(key).catch(() => {});
      }, after_ms);
      waiting.set(key, timer);
    },
    close(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
