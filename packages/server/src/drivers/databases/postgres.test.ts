// Alone in its process: it sets PG* variables, which the whole process sees.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { DatabaseQueryError } from './driver.ts';
import { makePostgresDatabases } from './postgres.ts';

/** The operator's own database: the PG* variables of the process lead to it. */
const operator = await makeDatabase('empty');
const { host, port, user, password, database } = operator.connection;
const proxy = createServer((from) => {
  const to = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  for (const end of [from, to]) end.on('error', () => {});
  from.pipe(to).pipe(from);
});
await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
const proxyPort = String((proxy.address() as AddressInfo).port);
const at = `127.0.0.1:${proxyPort}`;
const [login, secret] = [encodeURIComponent(user), encodeURIComponent(password)];
const dir = mkdtempSync(join(tmpdir(), 'atrium-passfile-'));
const passfile = join(dir, 'passfile');

const variables: Record<string, string> = {
  PGHOST: '127.0.0.1',
  PGPORT: proxyPort,
  PGUSER: user,
  PGPASSWORD: password,
  PGPASSFILE: passfile,
  PGDATABASE: database,
  PGOPTIONS: '-c application_name=from_pgoptions -c work_mem=77MB',
  PGSSLMODE: 'disable',
  PGAPPNAME: 'from_pgappname',
  PGSERVICE: 'operator',
};
const earlier = Object.keys(variables).map((name) => [name, process.env[name]] as const);
before(() => {
  writeFileSync(passfile, `*:*:*:*:${password}\n`, { mode: 0o600 });
  Object.assign(process.env, variables);
});
after(async () => {
  for (const [name, value] of earlier)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  proxy.close();
  rmSync(dir, { recursive: true, force: true });
  await operator.drop();
});

const databases = makePostgresDatabases({ allow: ['127.0.0.1'] });
const signal = new AbortController().signal;
const options = { writes: false, max_rows: 10, timeout_ms: 20_000, signal };
const ask = (dsn: string, sql = 'select 1 as one') => databases.query(dsn, sql, [], options);

test('a connection string that leaves out host, user or database is refused although PG* variables name them', async () => {
  // pg itself fills missing parts of a DSN from the environment, so it would accept the DSNs refused below.
  const careless = new pg.Client();
  await careless.connect();
  await careless.end();
  for (const [dsn, missing] of [
    ['postgresql://', /names no host and no user and no database/],
    ['postgresql:///', /names no host/],
    [`postgresql:///${database}`, /names no host and no user/],
    [`postgresql://${at}/${database}`, /names no user/],
    [`postgresql://${login}:${secret}@${at}`, /names no database/],
    [`postgresql://${login}:${secret}@${at}/`, /names no database/],
    [`postgresql://${login}:${secret}@${at}/%20`, /names no database/],
    [`postgresql://%20@${at}/${database}`, /names no user/],
    ['', /does not hold a connection string/],
    ['service=operator', /does not hold a connection string/],
    ['host=127.0.0.1', /does not hold a connection string/],
    [`socket:${host}?db=${database}`, /does not hold a connection string/],
    [`postgresql://${login}:%E0%A4%A@${at}/${database}`, /a % that encodes nothing/],
  ] as const)
    await assert.rejects(
      ask(dsn),
      (error: Error) => error instanceof DatabaseQueryError && missing.test(error.message),
      dsn,
    );
});

test('a connection string without a password does not get PGPASSWORD or the password file', async () => {
  for (const dsn of [`postgresql://${login}@${at}/${database}`, `postgresql://${login}:@${at}/${database}`]) {
    await assert.rejects(ask(dsn), DatabaseQueryError);
    const { PGPASSWORD } = process.env;
    delete process.env['PGPASSWORD'];
    await assert.rejects(ask(dsn), DatabaseQueryError);
    process.env['PGPASSWORD'] = PGPASSWORD;
  }
});

test('a whole connection string is used as it is, without PGOPTIONS and PGAPPNAME', async () => {
  const dsn = `postgresql://${login}:${secret}@${at}/${database}`;
  const { rows } = await ask(
    dsn,
    "select current_setting('work_mem') as memory, current_setting('application_name') as name, current_database() as db",
  );
  assert.deepEqual(rows, [{ memory: '4MB', name: 'atrium', db: database }]);
});

test('a statement that is past its deadline, or whose caller left, is cancelled at the server', async () => {
  const dsn = `postgresql://${login}:${secret}@${at}/${database}`;
  const watcher = new pg.Client(operator.connection);
  await watcher.connect();
  const sleeping = async () =>
    (await watcher.query("select from pg_stat_activity where datname = $1 and wait_event = 'PgSleep'", [database]))
      .rowCount;
  const untilSleeping = async (wanted: number) => {
    for (let turn = 0; turn < 600 && (await sleeping()) !== wanted; turn++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await sleeping(), wanted);
  };
  try {
    // It catches the server's own timeout; only a request from outside ends what follows.
    const lifted =
      'do $$ begin perform pg_sleep(300); exception when query_canceled then perform pg_sleep(300); end $$';
    await assert.rejects(
      databases.query(dsn, lifted, [], { ...options, writes: true, timeout_ms: 300 }),
      DatabaseQueryError,
    );
    await untilSleeping(0);

    const caller = new AbortController();
    const left = databases.query(dsn, 'select pg_sleep(300)', [], { ...options, signal: caller.signal });
    left.catch(() => {});
    await untilSleeping(1);
    caller.abort();
    await assert.rejects(left);
    await untilSleeping(0);
  } finally {
    await watcher.end();
  }
});
