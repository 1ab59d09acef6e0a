import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { deleteOldEvents } from './store.ts';

export const eventJobs = (db: Database) => [
  defineJob({
    job: 'events.expire',
    payload: z.object({}),
    attempts: 1,
    schedule: '*/15 * * * *',
    handler: async () => {
      await deleteOldEvents(db);
    },
  }),
];
