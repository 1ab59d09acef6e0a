import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { sweepDeletedHolders, sweepFinishedHolders } from './account-store.ts';

export const makeUsageJobs = ({ db }: { db: Database }) => ({
  /** Reserved tokens whose run is gone are given back; a run that goes on gives back its own. */
  sweepReservations: defineJob({
    job: 'usage.sweep-reservations',
    payload: z.object({}),
    attempts: 1,
    schedule: '*/5 * * * *',
    handler: async ({ log }) => {
      const finished = await sweepFinishedHolders(db);
      const deleted = await sweepDeletedHolders(db);
      if (finished + deleted > 0) log.info('usage.reservations_swept', { finished, deleted });
    },
  }),
});
