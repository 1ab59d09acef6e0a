import { unavailable } from '@atrium/contract/errors.ts';

interface Options {
  /** How many run at once. */
  total: number;
  /** How many of one workspace run at once, and how many of it wait. */
  each: number;
  waiting: number;
}

interface Waiter {
  workspace_id: string;
  start(): void;
}

/**
 * Limits concurrent queries, in total and for each workspace. The next slot goes to the waiting workspace that runs the
 * fewest queries, so a busy workspace does not delay another one.
 */
export function makeQuerySlots({ total, each, waiting }: Options) {
  const running = new Map<string, number>();
  const queue: Waiter[] = [];
  let taken = 0;

  const runningOf = (workspace_id: string) => running.get(workspace_id) ?? 0;

  function startNext(): void {
    while (taken < total) {
      let next: Waiter | undefined;
      for (const waiter of queue) {
        const own = runningOf(waiter.workspace_id);
        if (own < each && (!next || own < runningOf(next.workspace_id))) next = waiter;
      }
      if (!next) return;
      queue.splice(queue.indexOf(next), 1);
      take(next.workspace_id);
      next.start();
    }
  }

  function take(workspace_id: string): void {
    taken++;
    running.set(workspace_id, runningOf(workspace_id) + 1);
  }

  function release(workspace_id: string): void {
    taken--;
    if (runningOf(workspace_id) > 1) running.set(workspace_id, runningOf(workspace_id) - 1);
    else running.delete(workspace_id);
    startNext();
  }

  return async <T>(workspace_id: string, work: () => Promise<T>): Promise<T> => {
    if (queue.filter((waiter) => waiter.workspace_id === workspace_id).length >= waiting)
      throw unavailable('Too many queries of this workspace are waiting; try again in a few seconds', 'query_busy');
    await new Promise<void>((start) => {
      queue.push({ workspace_id, start });
      startNext();
    });
    try {
      return await work();
    } finally {
      release(workspace_id);
    }
  };
}
