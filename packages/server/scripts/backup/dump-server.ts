import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';

const debianFolder = '/usr/lib/postgresql';

/** The newest one that is installed; the servers of PostgreSQL refuse older ones. */
function findProgram(name: 'pg_dump' | 'pg_restore'): string {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...versions.map((at) => join(debianFolder, at, 'bin'))];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (!found) throw new Error(`${name} is needed for a database of DATABASE_URL: install the client of PostgreSQL`);
  return found;
}

/** In the environment, because other accounts of the machine can read the arguments of a program. */
function environmentOf(url: string): NodeJS.ProcessEnv {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  return {
    PATH: process.env['PATH'],
    ...{ PGHOST: host, PGPORT: String(port), PGUSER: user ?? '', PGDATABASE: database ?? '' },
    ...(password && { PGPASSWORD: String(password) }),
    ...(/[?&]sslmode=([a-z-]+)/.exec(url)?.[1] && { PGSSLMODE: /[?&]sslmode=([a-z-]+)/.exec(url)?.[1] }),
  };
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The roles that read the tables of workspaces; a dump of one database does not have them. */
export const readRoles = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ role_name: string }>(
      'select role_name from table_spaces where role_name is not null order by role_name',
    );
    return rows.map(({ role_name }) => role_name);
  });

/** The whole database at one moment, in the format of pg_dump. */
export async function* dumpServer(url: string): AsyncGenerator<Buffer> {
  const child = spawn(findProgram('pg_dump'), ['--format=custom', '--no-owner', '--compress=1'], {
    ...{ env: environmentOf(url), stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said = `${said}${data}`.slice(-2000);
  });
  const ended = once(child, 'exit');
  for await (const bytes of child.stdout) yield bytes as Buffer;
  const [code] = await ended;
  if (code !== 0) throw new Error(`pg_dump failed: ${said.trim()}`);
}

/** Fills an empty database. */
export async function restoreServer(url: string, dump: AsyncIterable<Buffer>, roles: readonly string[]): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query(
      `select 1 from information_schema.tables where table_schema = 'public' limit 1`,
    );
    if (rows.length > 0) throw new Error('The database of DATABASE_URL is not empty; name a new one');
    for (const role of roles) {
      const name = pg.escapeIdentifier(role);
      const { rows: known } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      if (known.length === 0) await client.query(`create role ${name} nologin noinherit`);
      await client.query(`grant ${name} to current_user`);
    }
  });
  const options = ['--no-owner', '--exit-on-error', '--single-transaction', '--dbname', ''];
  const child = spawn(findProgram('pg_restore'), options, {
    ...{ env: environmentOf(url), stdio: ['pipe', 'ignore', 'pipe'] },
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said = `${said}${data}`.slice(-2000);
  });
  const ended = once(child, 'exit');
  // When the program ends early, its exit says why.
  await pipeline(Readable.from(dump), child.stdin).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  });
  const [code] = await ended;
  if (code !== 0) throw new Error(`pg_restore failed: ${said.trim()}`);
}
