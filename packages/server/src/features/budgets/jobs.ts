import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { deleteGoneNodes, deleteOldPeriods, orphanedHolds, settle } from './store.ts';

const batch = 1000;

export const budgetJobs = ({ db }: { db: Database }) => [
  /** Reservations of processes that died count as used: what their calls cost is not known. */
  defineJob({
    job: 'budgets.sweep-holds',
    payload: z.object({}),
    attempts: 1,
    schedule: '* * * * *',
    handler: async ({ log }) => {
      const holds = await orphanedHolds(db, batch);
      for (const { id } of holds) await settle(db, id, null, null);
      if (holds.length > 0) log.info('budgets.holds_swept', { holds: holds.length });
      await deleteGoneNodes(db);
    },
  }),
  defineJob({
    job: 'budgets.expire-periods',
    payload: z.object({}),
    attempts: 1,
    schedule: '47 3 * * *',
    handler: async ({ log }) => {
      log.debug('budgets.periods_deleted', { periods: await deleteOldPeriods(db) });
    },
  }),
];
