import type { Db } from '../database.ts';
import { sql } from '../sql.ts';

/**
 * Tells this database from copies of it: the id that the cluster got when it was made, and the number of the database in it.
 * A dump that is restored has another one; a standby that takes over has the same.
 */
export async function findDatabaseId(db: Db): Promise<string> {
  const { id } = await db.one<{ id: string }>(sql`
    select system_identifier || '.' || oid as id
    from pg_control_system(), pg_database where datname = current_database()`);
  return id;
}
