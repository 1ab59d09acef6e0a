import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startDatabaseProxy } from '../../test/support/database-proxy.ts';
import { adminKey, testConfig } from '../../test/support/test-config.ts';
import { makeDatabase, testPool } from '../../test/support/test-database.ts';
import { until } from '../../test/support/two-nodes.ts';
import { makeApp } from '../app.ts';
import { makeLog } from '../lib/log.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));
const skip = program === undefined && 'PgBouncer is not installed';

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** PgBouncer in transaction mode with few server connections, so that clients often get another one. */
async function startPooler(to: { host: string; port: number; user: string; password: string; database: string }) {
  const dir = mkdtempSync('/tmp/atrium-pooler-');
  const port = await freePort();
  writeFileSync(join(dir, 'users.txt'), `"${to.user}" "${to.password}"\n`);
  writeFileSync(
    join(dir, 'pooler.ini'),
    [
      ...['[databases]', `* = host=${to.host} port=${to.port}`],
      ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = plain'],
      ...[`auth_file = ${join(dir, 'users.txt')}`, 'pool_mode = transaction', 'default_pool_size = 3', 'verbose = 0'],
    ].join('\n'),
  );
  const isRoot = userInfo().uid === 0;
  // It refuses to run as root.
  if (isRoot) for (const path of [dir, join(dir, 'users.txt'), join(dir, 'pooler.ini')]) chmodSync(path, 0o755);
  const child = spawn(program as string, [...(isRoot ? ['-u', 'nobody'] : []), join(dir, 'pooler.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const connection = { host: '127.0.0.1', port, user: to.user, password: to.password, database: to.database };
  await until('the pooler answers', async () => {
    assert.equal(child.exitCode, null, said);
    const client = new pg.Client(connection);
    client.on('error', () => {});
    return client
      .connect()
      .then(() => client.end())
      .then(() => true)
      .catch(() => sleep(100, false));
  });
  return {
    connection,
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

test('works behind a pooler in transaction mode when it is told the direct address', { skip }, async () => {
  const { connection, drop } = await makeDatabase();
  const pool = testPool(connection);
  // What a session has by default is not what the program needs.
  await pool.query(`alter database ${connection.database} set timezone = 'Asia/Tokyo'`);
  // The socket of the test server may be closed to the account of the pooler.
  const proxy = await startDatabaseProxy(connection);
  const pooler = await startPooler({ ...connection, host: '127.0.0.1', port: proxy.port });
  const logged: string[] = [];
  const log = makeLog('warn', (line) => logged.push(line));
  const dir = mkdtempSync('/tmp/atrium-pooled-');
  const start = () =>
    makeApp(testConfig(dir, { roles: ['http', 'worker'] }), pooler.connection, log, { direct: connection });
  const apps = [await start(), await start()];
  after(async () => {
    for (const app of apps) await app.close();
    await pooler.stop();
    await proxy.close();
    await pool.end();
    await drop();
    rmSync(dir, { recursive: true, force: true });
  });
  const call = async (at: number, method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await (apps[at % 2] as (typeof apps)[0]).server.inject({
      ...{ method, url, headers: { 'x-api-key': adminKey } },
      ...(payload && { payload }),
    });
    assert.equal(answer.statusCode, 200, answer.payload);
    return JSON.parse(answer.payload);
  };
  const before = Date.now();
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, at) => call(at, 'POST', '/v1/agents', { name: `Agent ${at}` })),
  );
  const read = await Promise.all(made.map(({ id }, at) => call(at + 1, 'GET', `/v1/agents/${id}`)));
  for (const { created_at } of read) {
    const age = Date.parse(created_at) - before;
    assert.ok(age > -5000 && age < 120_000, `made at ${created_at}`);
  }
  // A job is enqueued through the pooler and done by a worker that has a connection of its own.
  const { id } = await call(0, 'POST', '/v1/knowledge-bases', { name: 'Pooled', settings_: { auto_summary: false } });
  const form = new FormData();
  form.append('files', new Blob(['Walnuts grow on trees. ']), 'walnuts.txt');
  await call(1, 'POST', `/v1/knowledge-bases/${id}/upload_train`, form);
  await until('the document is trained', async () => {
    const base = await call(0, 'GET', `/v1/knowledge-bases/${id}`);
    return base.trained_documents === 1;
  });
  assert.equal((await call(1, 'GET', `/v1/knowledge-bases/${id}`)).name, 'Pooled');
  const { rows: locks } = await pool.query(
    `select 1 from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
       and database = (select oid from pg_database where datname = current_database())`,
  );
  assert.deepEqual(locks, [], 'no lock stays on a shared connection');
  assert.deepEqual(
    logged.filter((line) => /prepared statement|does not exist|already exists/.test(line)),
    [],
  );
});
