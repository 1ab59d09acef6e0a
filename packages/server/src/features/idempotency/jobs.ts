import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { deleteOldKeys } from './store.ts';

/** Deletes answers after a day, when they are not given again. */
export const idempotencyJobs = (db: Database) => [
  defineJob({
    job: 'idempotency.expire',
    payload: z.object({}),
    attempts: 1,
    schedule: '17 * * * *',
    handler: async ({ log }) => {
      const removed = await deleteOldKeys(db);
      log.debug('Removed old idempotency keys', { removed });
    },
  }),
];
