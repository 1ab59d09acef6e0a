import type { PoolConfig } from 'pg';
import { openDatabase } from '../../db/database.ts';
import { migrateDatabase } from '../../db/migrate.ts';
import { makeDatabaseReadiness } from '../../db/state/database-readiness.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { releaseAllWork, releaseRunsOf } from './dead-work-store.ts';

/** Gives back what processes had that are dead for sure, so that others need not wait until leases run out. */
export async function makeWorkRelease(connection: PoolConfig, log: Log) {
  await migrateDatabase(connection, log);
  // One for the work, one to look while that waits.
  const db = openDatabase({ connection, max: 2, log });
  const readDatabaseReadiness = makeDatabaseReadiness(db.pool);
  const underWay = new Set<Promise<void>>();
  return {
    /** All of it, before the first process starts. */
    releaseAll: () => releaseAllWork(db),
    /** The runs of a process that has ended. Where that fails they are taken over when their leases have run out. */
    releaseRunsOf(node_ids: readonly string[]): Promise<void> {
      const release = releaseRunsOf(db, node_ids)
        .catch((error) => log.warn('runs.not-released', errorFields(error)))
        .finally(() => underWay.delete(release));
      underWay.add(release);
      return release;
    },
    /** Whether the database is away or takes no writes. */
    isDatabaseAway: async () => (await readDatabaseReadiness(2000)) !== 'ok',
    /** Does not wait for a database that is away. */
    async close() {
      if ((await readDatabaseReadiness(1000)) === 'unreachable') return db.abandon();
      await Promise.all(underWay);
      return db.close();
    },
  };
}
