import type { SystemState } from '@atrium/contract/system/schema.ts';
import type { Db } from '../database.ts';
import { sql } from '../sql.ts';

type Facts = Omit<SystemState['database'], 'embedded' | 'answered_ms'>;

export async function readDatabaseState(db: Db): Promise<Omit<SystemState['database'], 'embedded'>> {
  const started = performance.now();
  const facts = await db.one<Facts>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size_bytes,
      (select count(*) from pg_stat_activity where datname = current_database())::int as connections,
      current_setting('max_connections')::int as max_connections, (select count(*) from schema_migrations)::int as migrations`);
  return { ...facts, answered_ms: Math.round((performance.now() - started) * 10) / 10 };
}
