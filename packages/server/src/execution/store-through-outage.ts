import { retryThroughOutage } from '../lib/outages/database-outages.ts';
import { ageOf, currentMoment } from '../lib/timetable/moment.ts';
import { leaseIsSureMs } from './lease-store.ts';
import { LeaseLost } from './run-queue.ts';

/**
 * Stores events of a run that this node executes, and again while the database is away and the lease lasts. An attempt
 * whose answer was lost may have been committed: then the next one does not find the run as it was, and `isStored` decides.
 */
export async function storeThroughOutage(write: () => Promise<void>, isStored: () => Promise<boolean>): Promise<void> {
  const begun = currentMoment();
  await retryThroughOutage(leaseIsSureMs, async (isRepeated) => {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof LeaseLost) || !isRepeated) throw error;
      // Later than this, another node may have stored as many events.
      if (ageOf(begun) > leaseIsSureMs || !(await isStored())) throw error;
    }
  });
}
