import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { makeLeaseStore } from '../../execution/lease-store.ts';
import { unlockAllJobs } from '../../worker/worker-heartbeats.ts';

const leases = [sql`runs`, sql`workflow_runs`].map((table) => makeLeaseStore({ table, columns: sql`id` }));

/** Gives back all runs and jobs: on a database that no living process uses. */
export async function releaseAllWork(db: Database): Promise<void> {
  for (const { lapseAll } of leases) await lapseAll(db);
  const queue = await db.row<{ exists: boolean }>(
    sql`select to_regclass('graphile_worker.jobs') is not null as exists`,
  );
  if (queue?.exists) await unlockAllJobs(db);
}

/** Gives back the runs of nodes that are dead for sure. */
export async function releaseRunsOf(db: Database, node_ids: readonly string[]): Promise<void> {
  for (const id of node_ids) for (const { releaseRuns } of leases) await releaseRuns(db, id);
}
