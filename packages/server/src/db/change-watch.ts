import { unavailable } from '@atrium/contract/errors.ts';
import type { Database } from './database.ts';
import type { Notifier } from './notifier.ts';

/** The longest delay that a lost notification causes. */
const lookAgainAfter = 2000;
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
  const waiting = new Map<string, Set<() => void>>();
  const changedIds = new Set<string>();
  let closed = false;

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
      return { changed: promise, cancel };
    },
  };
}
