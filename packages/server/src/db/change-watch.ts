import { unavailable } from '@atrium/contract/errors.ts';
import type { Database } from './database.ts';
import type { Notifier } from './notifier.ts';

/** The longest delay that a lost notification causes. */
const lookAgainAfter = 2000;
/** How often waiting readers are looked through for that. One timer for all: one each was a cost of every token. */
const lookEvery = 250;
/** How long changes are gathered before all nodes are notified. */
const notifyEvery = 20;

/** Lets readers of a growing list wait, on any node, until the list may have grown. */
export interface ChangeWatch {
  /** Resumes the readers that wait for this id on this node, at once. */
  wake(id: string): void;
  /** Resumes the readers that wait for this id on every node, within `notifyEvery`. */
  notify(id: string): void;
  /** Resumes every reader; from now on `assertOpen` throws, so that clients reconnect to another node. */
  close(): void;
  /** Call before each read. */
  assertOpen(): void;
  /** `changed` resolves when there may be something new, or after a while; call `cancel` to stop waiting. */
  wait(id: string, signal: AbortSignal): { changed: Promise<void>; cancel: () => void };
}

/** Readers are only woken and read the list themselves, so that a slow reader delays no other. */
export function makeChangeWatch(options: {
  db: Database;
  notifier: Notifier;
  topic: string;
  /** No other node uses this database, so that there is none to notify. */
  alone?: boolean | undefined;
}): ChangeWatch {
  const { db, notifier, topic, alone } = options;
  /** The readers by what they wait for, and when each is to look again. */
  const waiting = new Map<string, Map<() => void, number>>();
  const changedIds = new Set<string>();
  let closed = false;
  let looking: NodeJS.Timeout | undefined;

  function wake(id: string): void {
    const sleepers = waiting.get(id);
    waiting.delete(id);
    for (const resume of sleepers?.keys() ?? []) resume();
  }
  function wakeAll(): void {
    for (const id of [...waiting.keys()]) wake(id);
  }
  function wakeLate(): void {
    if (waiting.size === 0) {
      clearInterval(looking);
      looking = undefined;
    }
    const now = performance.now();
    for (const sleepers of [...waiting.values()]) for (const [resume, due] of [...sleepers]) if (due <= now) resume();
  }
  notifier.on(topic, wake);
  notifier.onMissed(wakeAll);

  // Outside of the transaction that wrote: PostgreSQL commits notifying transactions one after another.
  function notifyNodes(): void {
    const ids = [...changedIds];
    changedIds.clear();
    // A failure has the effect of a lost notification: readers look again after `lookAgainAfter`.
    notifier.notify(db, topic, ...ids).catch(() => {});
  }

  return {
    wake,
    notify(id) {
      if (alone) {
        wake(id);
        return;
      }
      if (changedIds.size === 0) setTimeout(notifyNodes, notifyEvery);
      changedIds.add(id);
    },
    close() {
      closed = true;
      wakeAll();
    },
    assertOpen() {
      if (closed) throw unavailable('The server is being stopped; ask again in a moment');
    },
    wait(id, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const sleepers = waiting.get(id) ?? new Map<() => void, number>();
      const cancel = () => {
        signal.removeEventListener('abort', cancel);
        sleepers.delete(cancel);
        if (sleepers.size === 0 && waiting.get(id) === sleepers) waiting.delete(id);
        resolve();
      };
      looking ??= setInterval(wakeLate, lookEvery).unref();
      signal.addEventListener('abort', cancel, { once: true });
      waiting.set(id, sleepers.set(cancel, performance.now() + lookAgainAfter - lookEvery));
      return { changed: promise, cancel };
    },
  };
}
