interface Waiter {
  owner: number;
  go(isMine: boolean): void;
}

/** Locks for processes that ask by their number. A process that ends holds none any more. */
export function makeMachineLocks() {
  const holders = new Map<string, number>();
  const waiting = new Map<string, Waiter[]>();

  function giveToNext(key: string): void {
    const next = waiting.get(key)?.shift();
    if (next) holders.set(key, next.owner);
    else {
      holders.delete(key);
      waiting.delete(key);
    }
    next?.go(true);
  }

  function release(owner: number, key: string): void {
    if (holders.get(key) === owner) giveToNext(key);
  }

  return {
    release,

    take(owner: number, key: string, wait_ms: number): Promise<boolean> {
      if (!holders.has(key)) {
        holders.set(key, owner);
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const queue = waiting.get(key) ?? [];
        waiting.set(key, queue);
        const waiter: Waiter = {
          owner,
          go(isMine) {
            clearTimeout(timer);
            resolve(isMine);
          },
        };
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(waiter), 1);
          resolve(false);
        }, wait_ms);
        queue.push(waiter);
      });
    },

    releaseAll(owner: number): void {
      for (const queue of waiting.values())
        for (const waiter of queue.filter((each) => each.owner === owner)) {
          queue.splice(queue.indexOf(waiter), 1);
          waiter.go(false);
        }
      for (const [key, holder] of holders) if (holder === owner) giveToNext(key);
    },
  };
}
