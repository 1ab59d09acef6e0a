import { LruCache } from '../../lib/lru-cache.ts';

const mostKnown = 1000;

/** Asks for something soon, once for all who ask within a moment; while many ask, the moments are longer. */
export function makeKeyedDebounce(
  ask: (key: string) => Promise<void>,
  { soon_ms, busy_ms }: { soon_ms: number; busy_ms: number },
) {
  const waiting = new Map<string, NodeJS.Timeout>();
  const asked = new LruCache<string, number>({ max: mostKnown });
  return {
    nudge(key: string): void {
      if (waiting.has(key)) return;
      const since = Date.now() - (asked.get(key) ?? 0);
      const after_ms = since < 2 * busy_ms ? busy_ms : soon_ms;
      const timer = setTimeout(() => {
        waiting.delete(key);
        asked.set(key, Date.now());
        // Lost, it costs a moment: whoever looks whether a burst is over asks too.
        ask(key).catch(() => {});
      }, after_ms);
      waiting.set(key, timer);
    },
    close(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
