import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { removeOld } from './delivery-store.ts';

export const webhookJobs = (db: Database) => [
  defineJob({
    job: 'webhooks.expire',
    payload: z.object({}),
    attempts: 1,
    schedule: '29 * * * *',
    handler: async ({ log }) => {
      log.debug('Removed old deliveries of webhooks', { removed: await removeOld(db) });
    },
  }),
];
