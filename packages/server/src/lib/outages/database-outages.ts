import { setTimeout as sleep } from 'node:timers/promises';
import { isOutage } from './is-outage.ts';

/** Errors of other connections, such as a refused web address, look the same; only those of the database are in here. */
const outages = new WeakSet<object>();

/** Notes the errors of a database call that say that the server is away. */
export async function noteOutages<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (typeof error === 'object' && error !== null && isOutage(error)) outages.add(error);
    throw error;
  }
}

/** Whether a database call failed because the server is away, so that the same call may succeed a moment later. */
export const isDatabaseOutage = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && outages.has(error);

const [firstPause, longestPause] = [50, 400];

/**
 * Repeats the work while the database is away, for at most so many milliseconds after its first failure. An attempt that
 * failed may have had its effect: `isRepeated` tells the work to look.
 */
export async function retryThroughOutage<T>(within_ms: number, work: (isRepeated: boolean) => Promise<T>): Promise<T> {
  let failed_at: number | undefined;
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work(failed_at !== undefined);
    } catch (error) {
      failed_at ??= Date.now();
      if (!isDatabaseOutage(error) || Date.now() + pause - failed_at > within_ms) throw error;
      await sleep(pause);
    }
  }
}
