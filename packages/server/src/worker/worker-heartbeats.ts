import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { errorFields, type Log } from '../lib/log.ts';
import { ageOf, currentMoment } from '../lib/timetable/moment.ts';

/** A worker that has been silent for 12 s is dead; for 7 s after a heartbeat, it need not ask whether it is taken for that. */
const [beatEveryMs, isSureMs] = [3000, 7000];
const silent = sql`now() - interval '12 seconds'`;

/** Releases every job: for a node that knows it is the only one and need not wait for missing heartbeats. */
export const unlockAllJobs = (db: Database) =>
  db.run(sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where locked_by is not null`);

/** Another worker has taken the job over: this one must have no further effect. */
export class JobLost extends Error {
  constructor() {
    super('Another worker has the job');
  }
}

/** The hold of this process on one job. */
export interface JobHold {
  id: string;
  locked_by: string | null;
  lost: AbortController;
}

/**
 * The queue by itself gives a killed worker's jobs back after four hours. Here every worker has a row that says when it
 * was last alive. The worker that finds an old row deletes it and unlocks the jobs of its worker, in one statement: a worker that
 * comes back waits for that statement at its own row, and then sees that its jobs are gone.
 */
export function recordWorkerHeartbeats(
  db: Database,
  workers: ReadonlySet<string>,
  holds: { values(): Iterable<JobHold> },
  log: Log,
) {
  let beaten = currentMoment();

  async function beat(): Promise<void> {
    const begun = currentMoment();
    await db.run(sql`
      insert into job_workers (worker_id, seen_at) select id, now() from unnest(${[...workers]}::text[]) as id
      on conflict (worker_id) do update set seen_at = now()`);
    const own = [...holds.values()];
    if (own.length > 0) {
      const kept = await db.rows<{ id: string }>(sql`
        select job.id::text from graphile_worker.jobs job
        join unnest(${own.map(({ id }) => id)}::bigint[], ${own.map(({ locked_by }) => locked_by)}::text[])
          as held (id, locked_by) on held.id = job.id and held.locked_by = job.locked_by`);
      const ids = new Set(kept.map(({ id }) => id));
      for (const { id, lost } of own) if (!ids.has(id)) lost.abort(new JobLost());
    }
    beaten = begun;
  }

  const sweep = () =>
    db.run(sql`
      with dead as (delete from job_workers where seen_at < ${silent} returning worker_id)
      select graphile_worker.force_unlock_workers(array_agg(worker_id)) from (
        select worker_id from dead
        union
        select locked_by from graphile_worker.jobs
        where locked_at < ${silent} and locked_by not in (select worker_id from job_workers)) as gone
      having count(*) > 0`);

  const attempt = () =>
    beat()
      .then(sweep)
      .catch((error) => log.warn('Workers were not swept', errorFields(error)));
  const timer = setInterval(() => void attempt(), beatEveryMs);

  return {
    /** The first heartbeat is sent when the queue has named its workers. */
    beat: attempt,
    /** Throws JobLost when another worker may have the job. Asks only when the last heartbeat is too old to be sure. */
    async requireHold({ lost }: JobHold): Promise<void> {
      lost.signal.throwIfAborted();
      if (ageOf(beaten) < isSureMs) return;
      await beat();
      lost.signal.throwIfAborted();
    },
    stop: () => clearInterval(timer),
  };
}
