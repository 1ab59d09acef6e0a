import { onServer } from '../support/test-database.ts';

/** Longer than a mutant's tests may take: a database older than this belongs to a process that was ended. */
const kept_ms = 150_000;

const firstSeen = new Map<string, number>();

/** Drops the databases of tests that were ended before they could do so themselves. */
export async function dropOldDatabases(): Promise<void> {
  await onServer(async (client) => {
    const listed = await client.query<{ datname: string }>(
      "select datname from pg_database where datname like 'test\\_%'",
    );
    for (const { datname } of listed.rows) {
      const seen = firstSeen.get(datname) ?? Date.now();
      firstSeen.set(datname, seen);
      if (Date.now() - seen > kept_ms) await client.query(`drop database if exists ${datname} with (force)`);
    }
  });
}
