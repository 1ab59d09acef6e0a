import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { required } from '../lib/required.ts';

interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
}

const folder = new URL('./migrations/', import.meta.url);
/**
 * An arbitrary number, the same on every node: the node that holds the lock migrates; each later node waits and then
 * finds nothing to do.
 */
const lockNumber = 7_426_910;

/** Numbers rise and none is there twice. Some may be missing: changes made side by side each have numbers of their own. */
export function readMigrations(from: URL = folder): Migration[] {
  const files = readdirSync(from)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  let last = 0;
  return files.map((file) => {
    const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
    const version = Number(match?.[1] ?? 0);
    if (!match || version <= last)
      throw new Error(`Migration ${file} should be named ${String(last + 1).padStart(4, '0')}_<what>.sql`);
    last = version;
    const text = readFileSync(new URL(file, from), 'utf8');
    const checksum = createHash('sha256').update(text).digest('hex');
    return { version, name: required(match[2]), text, checksum };
  });
}

async function requireVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ number: string }>(`select current_setting('server_version_num') as number`);
  const version = Number(rows[0]?.number);
  if (version < 150_000)
    throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}`);
}

/** Brings the database up to this program, each migration in its own transaction. Forward only. */
export async function migrate(pool: pg.Pool, migrations: Migration[] = readMigrations()): Promise<number> {
  const client = await pool.connect();
  try {
    await requireVersion(client);
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [lockNumber]);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
    const { rows: applied } = await client.query<{ version: number; name: string; checksum: string }>(
      'select version, name, checksum from schema_migrations order by version',
    );
    const newest = applied.at(-1);
    const known = migrations.at(-1)?.version ?? 0;
    if (newest && newest.version > known)
      throw new Error(
        `The database is newer than this program: it has migration ${newest.version} (${newest.name}), this program ` +
          `knows ${known}. Start the newer program, or restore a backup made before the upgrade.`,
      );
    const appliedBefore = new Map(applied.map((row) => [row.version, row]));
    for (const migration of migrations) {
      const before = appliedBefore.get(migration.version);
      if (before?.checksum === migration.checksum) continue;
      if (before) throw new Error(`Migration ${migration.version} (${before.name}) was changed after it was applied`);
      await applyOne(client, migration);
    }
    return migrations.length - applied.length;
  } finally {
    // Ending the session also releases the lock, in any state that an error has left.
    client.release(true);
  }
}

async function applyOne(client: pg.ClientBase, { version, name, text, checksum }: Migration): Promise<void> {
  await client.query('begin');
  await client.query(text);
  await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ]);
  await client.query('commit');
}
