import { unavailable } from '@atrium/contract/errors.ts';
import type { Database } from './database.ts';
import type { Notifier } from './notifier.ts';

/** A lost bell costs at most this. */
const lookAgainAfter = 2000;
/** How long other nodes wait for news of what is done here. */
const ringEvery = 20;

/**
 * For those who follow a list that grows, on whichever node: they read what is there, and then wait until there may be
 * more. Nobody is handed anything, so one who is slow holds up nobody.
 */
export function makeNews({ db, notifier, topic }: { db: Database; notifier: Notifier; topic: string }) {
  const waiting = new Map<string, Set<() => void>>();
  const toRing = new Set<string>();
  /** Set when this node stops: those who wait are sent away, to come back to another. */
  let left = false;

  function wake(id: string): void {
    const sleepers = waiting.get(id);
    waiting.delete(id);
    for (const resume of sleepers ?? []) resume();
  }
  function wakeAll(): void {
    for (const id of [...waiting.keys()]) wake(id);
  }
  notifier.on(topic, wake);
  notifier.onMissed(wakeAll);

  // Apart from the write that is told of: commits that ring wait for each other.
  function notify(): void {
    const ids = [...toRing];
    toRing.clear();
    // One that is lost costs no more than a lost bell.
    notifier.notify(db, topic, ...ids).catch(() => {});
  }

  return {
    /** Those who wait here look at once. */
    wake,

    /** Those who wait anywhere look soon. */
    tell(id: string): void {
      if (toRing.size === 0) setTimeout(notify, ringEvery);
      toRing.add(id);
    },

    /** Nobody is told anything here any more. */
    leave(): void {
      left = true;
      wakeAll();
    },

    /** To be asked before each look. */
    assertHere(): void {
      if (left) throw unavailable('The server is being stopped; ask again in a moment');
    },

    /** Resolves when something may have come, or after a while; `cancel` when nobody waits for it any more. */
    wait(id: string, signal: AbortSignal): { heard: Promise<void>; cancel: () => void } {
      const { promise, resolve } = Promise.withResolvers<void>();
      const sleepers = waiting.get(id) ?? new Set();
      const cancel = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        sleepers.delete(cancel);
        if (sleepers.size === 0 && waiting.get(id) === sleepers) waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(cancel, lookAgainAfter);
      signal.addEventListener('abort', cancel, { once: true });
      waiting.set(id, sleepers.add(cancel));
      return { heard: promise, cancel };
    },
  };
}
