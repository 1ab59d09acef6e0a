import { randomBytes } from 'node:crypto';
import pg from 'pg';

export type Connection = {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  connectionTimeoutMillis?: number;
};

/** On a busy machine a new connection takes seconds, and must not look like a database that is away. */
const connectWithin = 120_000;

/** Where the run's PostgreSQL is: started by the global set-up, before any test file. */
export function testServer(): Connection {
  const text = process.env['ATRIUM_TEST_SERVER'];
  if (!text) throw new Error('Run the tests with `npm test`: it starts the PostgreSQL they use');
  return { ...(JSON.parse(text) as Connection), connectionTimeoutMillis: connectWithin };
}

/** The process of that PostgreSQL, whose children its backends are. */
export const testPostmaster = (): number => Number(process.env['ATRIUM_TEST_POSTMASTER']);

export async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ ...testServer(), database: 'postgres' });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * A pool for looking into a database. `end()` does not wait until the server has closed the connections, so one of them
 * may report that the database is dropped; without a listener that error would end the process.
 */
export function testPool(connection: pg.PoolConfig, max = 2): pg.Pool {
  return new pg.Pool({ ...connection, max }).on('error', () => {});
}

/**
 * For a block of PL/pgSQL: waits until a transaction waits for a row of this database, or some seconds. Notifying
 * transactions wait for each other too, at another kind of lock, and do not count.
 */
export const waitUntilRowIsBlocked = `for turn in 1..4000 loop
    perform pg_sleep(0.005);
    perform pg_stat_clear_snapshot();
    exit when exists (select from pg_locks where not granted and locktype in ('transactionid', 'tuple')
      and pid in (select pid from pg_stat_activity where datname = current_database()));
  end loop;`;

/** A database for one test file: empty, or with everything a first start makes. */
export async function makeDatabase(from: 'migrated' | 'empty' = 'migrated') {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = from === 'migrated' ? testServer().database : 'template0';
  // Copying files takes half the work of logging each page; nothing here has to survive a crash.
  // Two copies at once of one template are refused while the first still runs; the lock makes them queue.
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock(1)');
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return {
    connection: { ...testServer(), database: name },
    drop: () => onServer((client) => client.query(`drop database ${name} with (force)`)),
  };
}
