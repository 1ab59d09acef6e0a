// Alone on the machine: it waits seconds for a node to notice.
// Alone in its process: starts the program several times and measures how soon it notices.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startDatabaseProxy } from '../test/support/database-proxy.ts';
import { startProcess } from '../test/support/server-process.ts';
import { adminKey } from '../test/support/test-config.ts';
import { makeDatabase, testPool } from '../test/support/test-database.ts';
import { until } from '../test/support/two-nodes.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-lost-'));
const { connection, drop } = await makeDatabase();
const proxy = await startDatabaseProxy(connection);
const pool = testPool(connection);
const { user, password, database } = connection;
const secret = encodeURIComponent(password);
const addressOf = (port: number) => `postgres://${user}:${secret}@127.0.0.1:${port}/${database}`;
const direct = await startDatabaseProxy(connection);

const started: ReturnType<typeof startProcess>[] = [];
function start(env: Record<string, string>) {
  const shared = { ATRIUM_ADMIN_KEY: adminKey, ATRIUM_SECRET_KEY: 'test-secret-key-0123456789abcdef0123456789' };
  const node = startProcess({ dir, env: { ...shared, ATRIUM_DRAIN_SECONDS: '0', ...env } });
  started.push(node);
  return node;
}
after(async () => {
  for (const { kill, child } of started) if (child.exitCode === null && child.signalCode === null) await kill();
  await Promise.all([proxy.close(), direct.close(), pool.end()]);
  await drop();
  rmSync(dir, { recursive: true, force: true });
});

async function ask(address: string, path: string, { method = 'GET', key = adminKey, json }: Asked = {}) {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${address}${path}`, {
    method,
    headers,
    ...(body && { body }),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Record<string, string> };
}
type Asked = { method?: string; key?: string; json?: unknown };
/** The address of a node that has done all that a start does. */
async function whenStarted(node: ReturnType<typeof startProcess>): Promise<string> {
  const address = await node.ready;
  await until('the start is over', () => node.output().includes('Claim token'));
  return address;
}
const seconds = (since: number) => (Date.now() - since) / 1000;
const isReady = async (address: string) => (await ask(address, '/ready')).status === 200;

test('a node whose connections are swallowed is not ready within ten seconds, and is again when they come back', async () => {
  const node = start({ DATABASE_URL: addressOf(proxy.port) });
  const address = await whenStarted(node);
  await until('it is ready', () => isReady(address));
  proxy.swallow('all');
  const since = Date.now();
  await until('it is not ready', async () => (await ask(address, '/ready')).json.database === 'unreachable');
  assert.ok(seconds(since) < 10, `it took ${seconds(since)} s`);
  await until('requests fail', async () => (await ask(address, '/v1/agents')).status === 503);
  proxy.swallow('none');
  await until('it is ready again', () => isReady(address));
  assert.equal((await ask(address, '/v1/agents')).status, 200);

  proxy.swallow('all');
  const asked = Date.now();
  await node.stop();
  proxy.swallow('none');
  assert.ok(seconds(asked) < 10, `it took ${seconds(asked)} s to end`);
});

test('refuses a revoked key within twelve seconds when notifications are swallowed', async () => {
  const deaf = start({ DATABASE_URL: addressOf(proxy.port), ATRIUM_ROLES: 'http' });
  const other = start({ DATABASE_URL: addressOf(direct.port), ATRIUM_ROLES: 'http' });
  const [here, there] = [await whenStarted(deaf), await whenStarted(other)];
  const { group_id } = (await ask(there, '/v1/admin/me')).json;
  const keys = `/v1/admin/groups/${group_id}/api-keys`;
  const made = await ask(there, keys, {
    method: 'POST',
    json: { name: 'Soon revoked', permissions: ['agents_run'] },
  });
  assert.equal(made.status, 200, JSON.stringify(made.json));
  const { id, value: key } = made.json as { id: string; value: string };
  assert.ok(key);
  assert.equal((await ask(here, '/v1/agents', { key })).status, 200);
  proxy.swallow('notifier');
  const revoked = await ask(there, `${keys}/${id}`, { method: 'DELETE' });
  assert.ok(revoked.status < 300, String(revoked.status));
  const since = Date.now();
  await until('the key is refused', async () => (await ask(here, '/v1/agents', { key })).status === 401);
  assert.ok(seconds(since) < 12, `it took ${seconds(since)} s`);
  proxy.swallow('none');
  await other.stop();

  // The notifier has connected anew by then, and hears again.
  await pool.query(`alter database ${database} set default_transaction_read_only = on`);
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'atrium%' and datname = $1`,
    [database],
  );
  await until('a standby is not ready', async () => (await ask(here, '/ready')).json.database === 'read_only');
  const refused = await ask(here, '/v1/agents', { method: 'POST', json: { name: 'Not stored' } });
  assert.equal(refused.status, 503, JSON.stringify(refused.json));
  await pool.query('set default_transaction_read_only = off');
  await pool.query(`alter database ${database} reset default_transaction_read_only`);
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'atrium%' and datname = $1`,
    [database],
  );
  await until('it may write again', async () => {
    const { status } = await ask(here, '/v1/agents', { method: 'POST', json: { name: 'Stored' } });
    return status === 200;
  });
  await deaf.stop();
});

test('a node that is told to end says so by /ready and answers meanwhile', async () => {
  const node = start({ DATABASE_URL: addressOf(direct.port), ATRIUM_DRAIN_SECONDS: '3' });
  const address = await whenStarted(node);
  const stopped = node.stop();
  await until('it drains', async () => (await ask(address, '/ready')).json.shutdown === 'draining');
  const answer = await ask(address, '/v1/agents');
  assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close']);
  assert.equal(await stopped, 0);
});

test('a process that only works has a port for its health', async () => {
  const node = start({
    ...{
      DATABASE_URL: addressOf(direct.port),
      ATRIUM_ROLES: 'worker',
      ATRIUM_HEALTH_PORT: '0',
      ATRIUM_LOG_LEVEL: 'info',
    },
  });
  const port = await until('it listens', () => /"health\.listening","port":(\d+)/.exec(node.output())?.[1]);
  const address = `http://127.0.0.1:${port}`;
  await until('it is ready', () => isReady(address));
  assert.equal((await ask(address, '/health')).json.status, 'ok');
  assert.match(await (await fetch(`${address}/metrics`)).text(), /atrium_database_connections/);
  assert.equal((await fetch(`${address}/v1/agents`, { headers: { 'x-api-key': adminKey } })).status, 404);
  assert.equal(await node.stop(), 0);
});

test('shows its claim token when the database fails between listening and showing it', async () => {
  const holder = await pool.connect();
  await holder.query('begin; lock table one_time_links in access exclusive mode');
  const node = start({ DATABASE_URL: addressOf(direct.port) });
  await node.ready;
  const stuck = await until('it waits for the links', async () => {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = $1`,
      [database],
    );
    return rows[0];
  });
  await pool.query('select pg_terminate_backend($1)', [stuck.pid]);
  await holder.query('rollback');
  holder.release();
  await until('it shows the token', () => node.output().includes('Claim token'));
  assert.equal(node.child.exitCode, null);
  assert.equal(await node.stop(), 0);
});
