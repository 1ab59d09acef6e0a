import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { errorFields, type Log } from '../lib/log.ts';

const sayEvery = 10_000;

/** Releases every job: for a node that knows it is the only one and need not wait for missing heartbeats. */
export const unlockAllJobs = (db: Database) =>
  db.run(sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where locked_by is not null`);

/**
 * The queue by itself gives a killed worker's jobs back after four hours. Here every worker says that it lives; jobs
 * held by one that has been silent for a minute are unlocked.
 */
export function recordWorkerHeartbeats(db: Database, workers: ReadonlySet<string>, log: Log) {
  async function sayAndSweep(): Promise<void> {
    await db.run(sql`
      insert into job_workers (worker_id, seen_at) select id, now() from unnest(${[...workers]}::text[]) as id
      on conflict (worker_id) do update set seen_at = now()`);
    await db.run(sql`
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
      where locked_at < now() - interval '1 minute' and locked_by not in (
        select worker_id from job_workers where seen_at > now() - interval '1 minute')`);
    await db.run(sql`delete from job_workers where seen_at < now() - interval '1 day'`);
  }
  const attempt = () => sayAndSweep().catch((error) => log.warn('Workers were not swept', errorFields(error)));
  const timer = setInterval(() => void attempt(), sayEvery);

  return {
    ready: attempt(),
    stop: () => clearInterval(timer),
  };
}
