import type { Database } from '../../db/database.ts';
import * as store from './store.ts';

/** The attempts of a job; the queue would try more often, so that the job itself ends it. */
const mostAttempts = 10;
export const queueAttempts = 25;

/**
 * Runs one attempt of a job. It is counted before it begins: one that the death of the server interrupts counts too, and a job
 * that brings the server down each time ends.
 */
export async function runAttempt(
  db: Database,
  { id, signal }: { id: string; signal: AbortSignal },
  work: () => Promise<void>,
  fail: (error: string) => Promise<unknown>,
): Promise<void> {
  const attempts = await store.beginAttempt(db, id);
  if (attempts > mostAttempts) return void (await fail('It was interrupted several times; the log says why'));
  try {
    await work();
  } catch (error) {
    if (signal.aborted) await store.takeBackAttempt(db, id);
    else if (attempts === mostAttempts) await fail('It failed several times; the log says why');
    throw error;
  }
}
