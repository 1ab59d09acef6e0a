import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode } from '../lib/error-code.ts';
import { type Log, makeLog } from '../lib/log.ts';
import { noteOutages } from '../lib/outages/database-outages.ts';
import { required } from '../lib/required.ts';
import { openPool } from './database.ts';

interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
  /** Programs that know this migration still run on the database after this one; its own number when none does. */
  minimum: number;
}

/** The first line of a migration that only adds: `-- runs with: 0150`. */
const runsWith = /^-- runs with: (\d{4})\n/;

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
    const minimum = Number(runsWith.exec(text)?.[1] ?? version);
    if (minimum > version) throw new Error(`Migration ${file} can not run with a later one`);
    return { version, name: required(match[2]), text, checksum, minimum };
  });
}

async function requireVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ number: string }>(`select current_setting('server_version_num') as number`);
  const version = Number(rows[0]?.number);
  if (version < 150_000)
    throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}`);
}

/**
 * How long a migration waits for a lock before it lets the statements behind it go on and tries again, and for how long
 * it tries: a dump or a report may read a table for minutes.
 */
const [lockWithinMs, tryForMs, sayEveryMs] = [2000, 900_000, 5000];

async function takeLock(client: pg.ClientBase, log: Log): Promise<void> {
  for (let waited = 0; ; waited += 250) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [lockNumber]);
    if (rows[0]?.locked) return;
    if (waited % sayEveryMs === 0)
      log.info('migration.waiting', { for: 'another node that migrates', seconds: waited / 1000 });
    await sleep(250);
  }
}

let readAhead: Migration[] | undefined;

/** Reads the migrations while the database starts. Where they can't be read, `migrateDatabase` says so. */
export function readMigrationsAhead(): void {
  try {
    readAhead = readMigrations();
  } catch {
    readAhead = undefined;
  }
}

/** Migrates over a connection of its own, on which statements may take as long as they need. */
export async function migrateDatabase(connection: pg.PoolConfig, log: Log): Promise<number> {
  const pool = openPool({ connection, max: 1, log }, { query_timeout: 0 });
  try {
    const migrations = readAhead ?? readMigrations();
    readAhead = undefined;
    return await noteOutages(migrate(pool, migrations, log));
  } finally {
    await pool.end();
  }
}

/** Brings the database up to this program, each migration in its own transaction. Forward only. */
export async function migrate(
  pool: pg.Pool,
  migrations: Migration[] = readMigrations(),
  log: Log = makeLog('silent'),
): Promise<number> {
  const client = await pool.connect();
  try {
    await requireVersion(client);
    await client.query(`set statement_timeout = 0; set lock_timeout = ${lockWithinMs}`);
    await takeLock(client, log);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
    await addMinimum(client);
    const { rows: applied } = await client.query<Applied>(
      'select version, name, checksum, minimum from schema_migrations order by version',
    );
    const newest = applied.at(-1);
    const known = migrations.at(-1)?.version ?? 0;
    const needed = oldestProgram(applied);
    if (newest && newest.version > known && needed <= known)
      log.info('migration.newer', { newest: newest.version, known });
    else if (newest && newest.version > known)
      throw new Error(
        `The database is newer than this program: it has migration ${newest.version} (${newest.name}), this program ` +
          `knows ${known}. Start the newer program, or restore a backup made before the upgrade.`,
      );
    const appliedBefore = new Map(applied.map((row) => [row.version, row]));
    let added = 0;
    for (const migration of migrations) {
      const before = appliedBefore.get(migration.version);
      if (before?.checksum === migration.checksum) continue;
      if (before) throw new Error(`Migration ${migration.version} (${before.name}) was changed after it was applied`);
      if (newest && newest.version > known)
        throw new Error(`The database lacks migration ${migration.version}, and has later ones`);
      await applyWhenFree(client, migration, log);
      added++;
    }
    return added;
  } finally {
    // Ending the session also releases the lock, in any state that an error has left.
    client.release(true);
  }
}

interface Applied {
  version: number;
  name: string;
  checksum: string;
  /** Null in rows that an older program has written. */
  minimum: number | null;
}

/** The migration that a program has to know to run on a database with these. */
export const oldestProgram = (applied: readonly Pick<Applied, 'version' | 'minimum'>[]): number =>
  Math.max(0, ...applied.map(({ version, minimum }) => minimum ?? version));

/** Adding a column that is there would still lock the table. */
async function addMinimum(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(`
    select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'minimum'`);
  if (rowCount === 0) await client.query('alter table schema_migrations add column minimum integer');
}

/** Other statements queue behind one that waits for a lock, so each attempt is short. */
async function applyWhenFree(client: pg.ClientBase, migration: Migration, log: Log): Promise<void> {
  for (const started = Date.now(); ; ) {
    try {
      return await applyOne(client, migration);
    } catch (error) {
      await client.query('rollback');
      if (errorCode(error) !== '55P03' || Date.now() - started > tryForMs) throw error;
      log.info('migration.waiting', { for: 'a lock', migration: migration.version });
      await sleep(500 + Math.random() * 1000);
    }
  }
}

async function applyOne(client: pg.ClientBase, { version, name, text, checksum, minimum }: Migration): Promise<void> {
  await client.query('begin');
  await client.query(text);
  await client.query('insert into schema_migrations (version, name, checksum, minimum) values ($1, $2, $3, $4)', [
    ...[version, name, checksum, minimum],
  ]);
  await client.query('commit');
}
