import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServerProcess, startProcess } from '../test/support/server-process.ts';
import { makeDatabase, testPool } from '../test/support/test-database.ts';

const root = mkdtempSync(join(tmpdir(), 'atrium-first-start-'));
const started: ServerProcess[] = [];
after(() => {
  for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function start(dir: string, env: Record<string, string>): ServerProcess {
  const server = startProcess({ dir, env });
  started.push(server);
  return server;
}

/** Listens on a free port, as another program would. */
async function takePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  return { port, free: () => new Promise((closed) => server.close(closed)) };
}

async function emptyDatabase() {
  const { connection, drop } = await makeDatabase('empty');
  after(drop);
  const { user, password, host, port, database } = connection;
  const query = new URLSearchParams({ host, port: String(port) });
  return { connection, url: `postgresql://${user}:${encodeURIComponent(password)}@/${database}?${query}` };
}

const printedKey = (server: ServerProcess) => /Admin API key, shown this once: (\S+)/.exec(server.output())?.[1];

const statusOf = async (address: string, key: string) =>
  (await fetch(`${address}/v1/admin/me`, { headers: { 'x-api-key': key } })).status;

test('makes nothing and names PORT when the port is in use, then prints a working key once', async () => {
  const { connection, url } = await emptyDatabase();
  const busy = await takePort();
  const dir = join(root, 'busy');
  const env = { DATABASE_URL: url, PORT: busy.port };

  for (const embedded of [true, false]) {
    const refused = start(dir, embedded ? { PORT: busy.port } : env);
    await assert.rejects(refused.ready, (error: Error) => {
      assert.match(
        error.message,
        new RegExp(`in use: port ${busy.port} on 127\\.0\\.0\\.1\\. .*set PORT to a free port`),
      );
      return true;
    });
    assert.equal(existsSync(dir), false, 'the data directory was made');
  }
  const pool = testPool(connection);
  assert.equal((await pool.query("select to_regclass('api_keys') as made")).rows[0].made, null);
  await pool.end();

  await busy.free();
  const first = start(dir, env);
  const address = await first.ready;
  assert.equal(address, `http://127.0.0.1:${busy.port}`);
  for (let attempt = 0; attempt < 3000 && !printedKey(first); attempt++) await sleep(10);
  const key = printedKey(first);
  assert.ok(key, first.output());
  assert.equal(await statusOf(address, key), 200);
  assert.equal(await first.stop(), 0);

  const second = start(dir, env);
  assert.equal(await statusOf(await second.ready, key), 200);
  assert.equal(await second.stop(), 0);
  assert.equal(printedKey(second), undefined);
});

test('prints the key at the next start when the first one failed after making it', async () => {
  const { connection, url } = await emptyDatabase();
  const dir = join(root, 'failed');
  const broken = join(root, 'mcp.json');
  writeFileSync(broken, '{}');
  const failed = start(dir, { DATABASE_URL: url, ATRIUM_MCP_CONFIG: broken });
  await assert.rejects(failed.ready, /ATRIUM_MCP_CONFIG/);
  const pool = testPool(connection);
  assert.equal((await pool.query('select 1 from api_keys')).rowCount, 1, 'the key was not made before the failure');
  assert.equal(printedKey(failed), undefined);

  const next = start(dir, { DATABASE_URL: url });
  const address = await next.ready;
  for (let attempt = 0; attempt < 3000 && !printedKey(next); attempt++) await sleep(10);
  assert.equal(await statusOf(address, printedKey(next) ?? ''), 200);
  assert.equal(await next.stop(), 0);
  assert.equal((await pool.query('select 1 from api_keys')).rowCount, 1);
  await pool.end();
});

test('prints an address that opens the first start with the token behind the #, while nobody has claimed it', async () => {
  const { url } = await emptyDatabase();
  const folder = join(root, 'console');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
  const env = { DATABASE_URL: url, ATRIUM_CONSOLE_DIR: folder };
  const server = start(join(root, 'claim'), env);
  const address = await server.ready;
  const link = () => /Open this to begin: (\S+)\n/.exec(server.output())?.[1];
  for (let attempt = 0; attempt < 3000 && !link(); attempt++) await sleep(10);
  const { origin, pathname, search, hash } = new URL(link() ?? '');
  assert.deepEqual([origin, pathname, search], [address, '/welcome', '']);
  const claim = {
    token: hash.slice('#token='.length),
    name: 'Ada',
    email: 'ada@example.com',
    password: 'a long password',
  };
  const headers = { 'content-type': 'application/json' };
  const claimed = await fetch(`${address}/v1/auth/claim`, { method: 'POST', headers, body: JSON.stringify(claim) });
  assert.equal(claimed.status, 200);
  assert.equal(await server.stop(), 0);
  const second = start(join(root, 'claim'), env);
  await second.ready;
  assert.equal(await second.stop(), 0);
  assert.doesNotMatch(second.output(), /token/);
});

test('answers 503 while it starts and takes over the same port when it is ready', async () => {
  const { connection, url } = await emptyDatabase();
  const { port, free } = await takePort();
  await free();
  const address = `http://127.0.0.1:${port}`;
  const get = async (path: string) => {
    const response = await fetch(address + path, { signal: AbortSignal.timeout(30_000) });
    return {
      status: response.status,
      retry: response.headers.get('retry-after'),
      json: (await response.json()) as Record<string, string>,
    };
  };
  const holder = testPool(connection, 1);
  const client = await holder.connect();
  // The lock that every start takes before it makes its first records.
  await client.query('select pg_advisory_lock(7426911)');
  const server = start(join(root, 'slow'), {
    DATABASE_URL: url,
    PORT: port,
    ATRIUM_ADMIN_KEY: 'first-start-admin-key-012345',
  });
  let alive: Awaited<ReturnType<typeof get>> | undefined;
  for (let attempt = 0; attempt < 3000 && !alive; attempt++) {
    alive = await get('/health').catch(() => undefined);
    if (!alive) await sleep(20);
  }
  assert.deepEqual(alive, { status: 200, retry: null, json: { status: 'ok' } });
  const { status, retry, json } = await get('/ready');
  assert.deepEqual([status, retry, json['status']], [503, '1', 'not_ready']);
  const early = await get('/v1/agents');
  assert.deepEqual([early.status, early.retry, early.json['code']], [503, '1', 'starting']);

  client.release(true);
  assert.equal(await server.ready, address);
  assert.equal((await get('/ready')).status, 200);
  assert.equal((await get('/v1/agents')).status, 401);
  assert.equal(await server.stop(), 0);
  await holder.end();
});
