import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { removeOld } from './deliver/delivery-store.ts';

/** Deletes deliveries after 30 days; until then repeated messages are recognized. */
export const triggerJobs = (db: Database) => [
  defineJob({
    job: 'triggers.expire',
    payload: z.object({}),
    attempts: 1,
    schedule: '23 * * * *',
    handler: async ({ log }) => {
      log.debug('Removed old deliveries of triggers', { removed: await removeOld(db) });
    },
  }),
];
