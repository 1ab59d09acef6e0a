import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { defineJob } from '../../lib/define-job.ts';

/** Answers are kept for a day; the rest of this table is dead weight. */
export const idempotencyJobs = (db: Database) => [
  defineJob({
    job: 'idempotency.expire',
    payload: z.object({}),
    attempts: 1,
    schedule: '17 * * * *',
    handler: async ({ log }) => {
      const removed = await db.run(sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`);
      log.debug('Removed old idempotency keys', { removed });
    },
  }),
];
