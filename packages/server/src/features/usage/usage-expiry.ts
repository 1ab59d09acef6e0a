import { z } from 'zod';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { defineJob } from '../../lib/define-job.ts';

const atOnce = 20_000;

/** Single calls are kept for a while; the figures that they were added up to stay. What is not added up yet stays too. */
const deleteSome = (db: Database, days: number) =>
  db.run(sql`
    delete from model_calls where (workspace_id, id) in (
      select workspace_id, id from model_calls
      where at < now() - make_interval(days => ${days}::int) and tx < (select tx from insight_mark) limit ${atOnce})`);

/**
 * Takes what is older than `days` out of the ledger, nothing when it is 0, and the names of people that nothing is kept of
 * any more.
 */
export const makeUsageExpiry = (deps: { db: Database; days: number; deleteUnusedEndUsers(db: Db): Promise<number> }) =>
  defineJob({
    job: 'usage.expire',
    payload: z.object({}),
    attempts: 1,
    schedule: '37 * * * *',
    async handler({ signal }) {
      const { db, days, deleteUnusedEndUsers } = deps;
      await deleteUnusedEndUsers(db);
      while (days > 0 && (await deleteSome(db, days)) === atOnce) signal.throwIfAborted();
    },
  });
