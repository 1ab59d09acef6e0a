import { LruCache } from '../lib/lru-cache.ts';
import type { Notifier } from './notifier.ts';

const keepFor = 30_000;
const keepMost = 10_000;

/**
 * Caches values that every message needs and that rarely change. A notification of the topic clears the cache on every
 * node; while notifications can't be received, nothing is cached.
 */
export function cacheUntilNotified<T>(notifier: Notifier, topic: string, read: (key: string) => Promise<T>) {
  const known = new LruCache<string, { value: Promise<T>; read_at: number }>({ max: keepMost });
  const forget = () => known.clear();
  notifier.on(topic, forget);
  notifier.onMissed(forget);

  return (key: string): Promise<T> => {
    const entry = known.get(key);
    if (entry && notifier.isListening && Date.now() - entry.read_at < keepFor) return entry.value;
    // Cached before it is read: a notification in the meantime then removes it.
    const fresh = { value: read(key), read_at: Date.now() };
    if (notifier.isListening) known.set(key, fresh);
    fresh.value.catch(() => {
      if (known.get(key) === fresh) known.delete(key);
    });
    return fresh.value;
  };
}
