import { LruCache } from '../lib/lru-cache.ts';
import type { Notifier } from './notifier.ts';

const keepFor = 30_000;
const keepMost = 10_000;

/**
 * Reads through memory: what every message needs and hardly ever changes is asked of the database once. Forgotten on
 * every node when the bell rings for its topic; while the bell can't be heard nothing is kept.
 */
export function cacheUntilNotified<T>(notifier: Notifier, topic: string, read: (key: string) => Promise<T>) {
  const known = new LruCache<string, { value: Promise<T>; read_at: number }>({ max: keepMost });
  const forget = () => known.clear();
  notifier.on(topic, forget);
  notifier.onMissed(forget);

  return (key: string): Promise<T> => {
    const entry = known.get(key);
    if (entry && notifier.isListening && Date.now() - entry.read_at < keepFor) return entry.value;
    // Known before it is read: a change in the meantime forgets it, whatever comes of the reading.
    const fresh = { value: read(key), read_at: Date.now() };
    if (notifier.isListening) known.set(key, fresh);
    fresh.value.catch(() => {
      if (known.get(key) === fresh) known.delete(key);
    });
    return fresh.value;
  };
}
