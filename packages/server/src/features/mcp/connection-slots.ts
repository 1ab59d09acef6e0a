export interface ConnectionSlots {
  /** How many slots are in use. */
  readonly taken: number;
  /** Waits for a slot; resolves with a function that gives it back. `of` is the connection that it is used for. */
  take(of: object, signal: AbortSignal): Promise<() => void>;
  /** Resolves when no slot is in use for this connection. */
  whenEmpty(of: object): Promise<void>;
}

/** Limits how many calls run at once. Further callers wait in line, each until its signal aborts. */
export function makeConnectionSlots(most: number): ConnectionSlots {
  const waiting: (() => void)[] = [];
  const users = new Map<object, number>();
  const empty = new Map<object, PromiseWithResolvers<void>>();
  let taken = 0;

  return {
    get taken() {
      return taken;
    },

    async take(of: object, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (taken >= most) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const stop = () => {
          waiting.splice(waiting.indexOf(resolve), 1);
          reject(signal.reason);
        };
        waiting.push(resolve);
        signal.addEventListener('abort', stop, { once: true });
        await promise.finally(() => signal.removeEventListener('abort', stop));
      } else taken++;
      users.set(of, (users.get(of) ?? 0) + 1);
      return () => {
        const left = (users.get(of) ?? 1) - 1;
        if (left > 0) users.set(of, left);
        else {
          users.delete(of);
          empty.get(of)?.resolve();
          empty.delete(of);
        }
        // The slot goes straight to the next in line, so that a newcomer can't take it in between.
        const next = waiting.shift();
        if (next) next();
        else taken--;
      };
    },

    async whenEmpty(of: object): Promise<void> {
      if (!users.has(of)) return;
      const wait = empty.get(of) ?? Promise.withResolvers<void>();
      empty.set(of, wait);
      await wait.promise;
    },
  };
}
