import type { PoolConfig } from 'pg';
import { openDatabase } from '../src/db/database.ts';
import { findDatabaseId } from '../src/db/state/database-id.ts';
import { makeLog } from '../src/lib/log.ts';

/** The id of the database, by which a bucket knows whose it is. */
export async function readInstallation(connection: PoolConfig): Promise<string> {
  const db = openDatabase({ connection, max: 1, log: makeLog('silent') });
  try {
    return await findDatabaseId(db);
  } finally {
    await db.close();
  }
}
