/** So many at once; the others wait in line, each as long as its signal lets it. `of` is what they are using. */
export function makeConnectionSlots(most: number) {
  const waiting: (() => void)[] = [];
  const users = new Map<object, number>();
  const empty = new Map<object, PromiseWithResolvers<void>>();
  let taken = 0;

  return {
    get taken() {
      return taken;
    },

    /** Resolves with what gives the place back. */
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
        // Handed on, and not let go of in between.
        const next = waiting.shift();
        if (next) next();
        else taken--;
      };
    },

    /** When nobody uses it any more. */
    async whenEmpty(of: object): Promise<void> {
      if (!users.has(of)) return;
      const wait = empty.get(of) ?? Promise.withResolvers<void>();
      empty.set(of, wait);
      await wait.promise;
    },
  };
}
