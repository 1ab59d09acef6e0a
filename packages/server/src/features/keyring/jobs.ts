import { z } from 'zod';
import { defineJob } from '../../lib/define-job.ts';
import { type Resealing, removeRetiredKeys } from './reseal-columns.ts';

/** Removes retired keys that no box needs; boxes that a node sealed late with one are sealed again first. */
export const keyringJobs = (resealing: Resealing) => [
  defineJob({
    job: 'keyring.retire',
    payload: z.object({}),
    attempts: 1,
    schedule: '29 * * * *',
    handler: async ({ log }) => {
      const removed = await removeRetiredKeys(resealing);
      if (removed > 0) log.info('Removed retired data keys', { removed });
    },
  }),
];
