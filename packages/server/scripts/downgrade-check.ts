import { existsSync } from 'node:fs';
import pg from 'pg';
import { loadConfig } from '../src/config.ts';
import { oldestProgram, readMigrations } from '../src/db/migrate.ts';
import { withDatabase } from './with-database.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Says which programs can run on the database as it is. With a number: whether one that knows it can. */
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const wanted = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
  if (wanted !== undefined && !Number.isInteger(wanted)) throw new Error('Name the newest migration of that program');
  await withDatabase(loadConfig(process.env), async (connection) => {
    const client = new pg.Client(connection as pg.ClientConfig);
    client.on('error', () => {});
    await client.connect();
    try {
      const { rows } = await client.query<{ version: number; minimum: number | null }>(
        `select version, (to_jsonb(m) ->> 'minimum')::int as minimum from schema_migrations m order by version`,
      );
      const oldest = oldestProgram(rows);
      say(
        `The database has migration ${rows.at(-1)?.version ?? 0}; this program knows ${readMigrations().at(-1)?.version}.`,
      );
      say(`Programs that know migration ${oldest} or a later one can run on it.`);
      if (wanted === undefined) return;
      if (wanted < oldest) process.exitCode = 1;
      say(wanted < oldest ? 'That program can not: restore a backup from before the upgrade.' : 'That program can.');
    } finally {
      await client.end();
    }
  });
} catch (error) {
  process.stderr.write(`\nThe check failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
