import type { SystemState } from '@atrium/contract/system/schema.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

const mostKinds = 20;

/** How many jobs wait, run and have failed, and which kinds. What failed jobs said is not read: it may hold secrets. */
export async function readQueueState(db: Db): Promise<SystemState['queue']> {
  const isFailed = sql`attempts >= max_attempts and locked_at is null`;
  const isDue = sql`attempts < max_attempts and locked_at is null and run_at <= now()`;
  const [counts, jobs] = await Promise.all([
    db.one<Omit<SystemState['queue'], 'jobs'>>(sql`
      select count(*) filter (where ${isDue})::int as waiting, count(*) filter (where locked_at is not null)::int as running,
        count(*) filter (where attempts < max_attempts and locked_at is null and run_at > now())::int as scheduled,
        count(*) filter (where ${isFailed})::int as failed,
        coalesce(extract(epoch from now() - min(run_at) filter (where ${isDue})), 0)::float8 as oldest_waiting_seconds
      from graphile_worker.jobs`),
    db.rows<SystemState['queue']['jobs'][number]>(sql`
      select task_identifier as job, count(*) filter (where ${isDue})::int as waiting,
        count(*) filter (where ${isFailed})::int as failed
      from graphile_worker.jobs where ${isDue} or ${isFailed}
      group by task_identifier order by count(*) desc, task_identifier limit ${mostKinds}`),
  ]);
  return { ...counts, jobs };
}

export const readWorkers = (db: Db) =>
  db.one<SystemState['workers']>(sql`
    select count(*) filter (where seen_at > now() - interval '1 minute')::int as alive,
      to_char(max(seen_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_seen_at
    from job_workers`);
