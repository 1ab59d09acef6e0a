import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseOutage } from '../lib/outages/database-outages.ts';

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** More calls than this share no statement: its parameters and locks have to stay few. */
const most = 64;
/** Where calls come together, statements of a workspace begin this far apart: fewer of them take less of the processor. */
const apart_ms = 16;

/**
 * Joins calls of one workspace into one statement. While a statement is under way, further calls wait and go with the next one,
 * which begins a little later if the last one had several. A call that is alone waits for nothing. Workspaces do not wait for
 * each other: one may be locked, as while it is deleted.
 * `run` answers one result for each item, in their order.
 */
export function groupCalls<T, R>(
  workspaceOf: (item: T) => string,
  run: (items: readonly T[]) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  /** What waits in each workspace that has a statement under way. */
  const waiting = new Map<string, Waiting<T, R>[]>();

  async function runAlone({ item, resolve, reject }: Waiting<T, R>): Promise<void> {
    try {
      const [result] = await run([item]);
      resolve(result as R);
    } catch (error) {
      reject(error);
    }
  }

  async function runGroup(group: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as R);
    } catch (error) {
      // A statement whose answer was lost may have been committed, so that only its callers can say what to do.
      if (group.length === 1 || isDatabaseOutage(error)) for (const { reject } of group) reject(error);
      // One call has failed for all of them: each is made by itself, and only the cause fails.
      else await Promise.all(group.map(runAlone));
    }
  }

  async function runWaiting(workspace_id: string, own: Waiting<T, R>[]): Promise<void> {
    for (let [size, begun] = [0, 0]; own.length > 0; ) {
      // A group that is full already gains nothing by it.
      const wait_ms = size > 1 && own.length < most ? begun + apart_ms - performance.now() : 0;
      if (wait_ms >= 1) await sleep(wait_ms);
      begun = performance.now();
      const group = own.splice(0, most);
      size = group.length;
      await runGroup(group);
    }
    waiting.delete(workspace_id);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const workspace_id = workspaceOf(item);
      const own = waiting.get(workspace_id);
      if (own) {
        own.push({ item, resolve, reject });
        return;
      }
      const begun = [{ item, resolve, reject }];
      waiting.set(workspace_id, begun);
      // All requests that have arrived by now go together.
      setImmediate(() => void runWaiting(workspace_id, begun));
    });
}
