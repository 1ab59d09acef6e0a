export interface AsyncQueue<T> {
  push(item: T): void;
  /** Yields items until `work` has settled. A rejection of `work` is not reported here: await `work` for it. */
  drainUntil(work: Promise<unknown>): AsyncGenerator<T>;
}

/** Carries items (progress messages) from work that goes on to the caller that waits for it. */
export function makeAsyncQueue<T>(): AsyncQueue<T> {
  let items: T[] = [];
  let wake = () => {};

  return {
    push(item) {
      items.push(item);
      wake();
    },

    async *drainUntil(work) {
      let settled = false;
      const onSettled = () => {
        settled = true;
        wake();
      };
      work.then(onSettled, onSettled);
      for (;;) {
        const batch = items;
        items = [];
        yield* batch;
        if (items.length > 0) continue;
        if (settled) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
