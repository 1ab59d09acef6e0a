import { z } from 'zod';
import type { Database, Db } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { deleteOldCalls } from './call-store.ts';

const atOnce = 20_000;

/** Deletes model calls that are older than `days` (0: none), and the names of end users without any record. */
export const makeUsageExpiry = (deps: { db: Database; days: number; deleteUnusedEndUsers(db: Db): Promise<number> }) =>
  defineJob({
    job: 'usage.expire',
    payload: z.object({}),
    attempts: 1,
    schedule: '37 * * * *',
    async handler({ signal }) {
      const { db, days, deleteUnusedEndUsers } = deps;
      await deleteUnusedEndUsers(db);
      while (days > 0 && (await deleteOldCalls(db, days, atOnce)) === atOnce) signal.throwIfAborted();
    },
  });
