import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../src/db/embedded/testing.ts';
import {
  databaseOf,
  gone,
  killAll,
  postgresIn,
  postmasterOf,
  type ServerProcess,
  startProcess,
} from '../test/support/server-process.ts';

const key = 'kill-test-admin-key-0123456789';
const secret = 'kill-test-secret-key-0123456789';
const env = { ATRIUM_ADMIN_KEY: key, ATRIUM_SECRET_KEY: secret };
const rounds = Number(process.env.KILL_ROUNDS ?? 3);
const root = mkdtempSync(join(tmpdir(), 'atrium-kill-'));
const template = join(root, 'template');
const started: ServerProcess[] = [];
let dirs = 0;

function start(dir: string, settings: Record<string, string> = env): ServerProcess {
  const server = startProcess({ dir, env: settings });
  started.push(server);
  return server;
}

/** A directory on which a server has run before. */
function usedDir(): string {
  const dir = join(root, `used-${++dirs}`);
  cpSync(template, dir, { recursive: true, preserveTimestamps: true });
  return dir;
}

interface Sent {
  name: string;
  idempotency_key?: string;
}

async function send(address: string, { name, idempotency_key }: Sent, as = key) {
  const headers = {
    'x-api-key': as,
    'content-type': 'application/json',
    ...(idempotency_key && { 'idempotency-key': idempotency_key }),
  };
  const request = { method: 'POST', headers, body: JSON.stringify({ name }), signal: AbortSignal.timeout(20_000) };
  const response = await fetch(`${address}/v1/admin/groups`, request);
  return {
    status: response.status,
    replayed: response.headers.has('idempotent-replayed'),
    text: await response.text(),
  };
}

const statusAs = async (address: string, as: string) =>
  (await fetch(`${address}/v1/admin/me`, { headers: { 'x-api-key': as } })).status;

/** Asks again and again, for half a minute at most. */
async function until(question: () => Promise<boolean> | boolean): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await question()) return;
    await sleep(50);
  }
  assert.fail('it did not come to pass');
}

before(async () => {
  const server = start(template);
  await server.ready;
  assert.equal(await server.stop(), 0);
});

after(async () => {
  for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
  killAll(postgresIn(root));
  await gone(root);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

test('starts with every acknowledged write exactly once after any process is killed at any moment', async (t) => {
  const dir = join(root, 'killed');
  const acknowledged = new Map<string, Sent & { text: string }>();
  /** Sent with a key and never answered: the caller does not know, and asks again. */
  const unanswered: Sent[] = [];
  const restarts: number[] = [];
  let names = 0;

  async function write(address: string, stop: { now: boolean }): Promise<void> {
    while (!stop.now) {
      const name = `group-${++names}`;
      const sent: Sent = names % 2 ? { name } : { name, idempotency_key: `key-of-${name}` };
      const answer = await send(address, sent).catch(() => undefined);
      if (answer?.status === 200) acknowledged.set(name, { ...sent, text: answer.text });
      else if (sent.idempotency_key) unanswered.push(sent);
      if (!answer || answer.status === 200) continue;
      assert.equal(answer.status, 503, answer.text);
      await sleep(5);
    }
  }

  async function startAgain(): Promise<{ server: ServerProcess; address: string }> {
    const begun = performance.now();
    const server = start(dir);
    const address = await server.ready;
    restarts.push(performance.now() - begun);
    return { server, address };
  }

  /** Asks again for what was never answered. A claim without an answer is held for a while; here time is made to pass. */
  async function retry(address: string): Promise<void> {
    await sql(
      databaseOf(dir),
      `update idempotency_keys set created_at = now() - interval '1 hour' where status is null`,
    );
    for (const sent of unanswered.splice(0)) {
      const { status, text } = await send(address, sent);
      assert.equal(status, 200, text);
      acknowledged.set(sent.name, { ...sent, text });
    }
    for (const sent of [...acknowledged.values()].filter(({ idempotency_key }) => idempotency_key).slice(-20)) {
      const again = await send(address, sent);
      assert.deepEqual(again, { status: 200, replayed: true, text: sent.text });
    }
  }

  async function check(address: string): Promise<void> {
    const response = await fetch(`${address}/v1/admin/groups`, { headers: { 'x-api-key': key } });
    const found = ((await response.json()) as { name: string }[]).map(({ name }) => name);
    assert.equal(new Set(found).size, found.length, 'no name appears twice');
    const lost = [...acknowledged.keys()].filter((name) => !found.includes(name));
    assert.deepEqual(lost, [], 'nothing acknowledged is missing');
  }

  const ways: ((server: ServerProcess, address: string) => Promise<void>)[] = [
    (server) => server.killEverything(),
    (server) => server.kill(),
    async (server, address) => {
      const first = postmasterOf(dir);
      killAll([first]);
      await until(async () => postmasterOf(dir) !== first && (await fetch(`${address}/ready`)).ok);
      await sleep(200);
      await server.killEverything();
    },
  ];

  for (let round = 0; round < rounds; round++) {
    const starting = start(dir);
    await sleep(Math.random() * (round === 0 ? 1500 : 800));
    await (round % 2 ? starting.kill() : starting.killEverything());

    const { server, address } = await startAgain();
    await retry(address);
    await check(address);
    const stop = { now: false };
    const writers = Array.from({ length: 6 }, () => write(address, stop));
    await sleep(100 + Math.random() * 1200);
    await ways[round % ways.length]?.(server, address);
    stop.now = true;
    await Promise.all(writers);
  }
  const { server, address } = await startAgain();
  await retry(address);
  await check(address);
  assert.equal(await server.stop(), 0);
  const times = restarts.map((ms) => `${Math.round(ms)} ms`).join(', ');
  t.diagnostic(`${rounds} rounds, ${acknowledged.size} acknowledged writes, restarts: ${times}`);
});

test('SIGTERM leaves no process and no lock', async () => {
  const dir = usedDir();
  const server = start(dir);
  await server.ready;
  assert.ok(postgresIn(dir).length > 3);
  assert.ok(existsSync(join(dir, 'atrium.lock')));
  assert.equal(await server.stop(), 0);
  assert.deepEqual(postgresIn(dir), []);
  assert.equal(existsSync(join(dir, 'atrium.lock')), false);
});

test('a second start on one directory is refused and names the first', async () => {
  const dir = usedDir();
  const first = start(dir);
  const address = await first.ready;
  const second = start(dir);
  await assert.rejects(second.ready, new RegExp(`in use by process ${first.pid} .*ATRIUM_DATA_DIR`, 's'));
  assert.equal(second.child.exitCode, 1);
  assert.equal(await statusAs(address, key), 200);
  await first.stop();
});

test('after a kill of node alone the next start adopts its PostgreSQL', async () => {
  const dir = usedDir();
  const first = start(dir);
  await send(await first.ready, { name: 'before' });
  const postmaster = postmasterOf(dir);
  await first.kill();
  const second = start(dir);
  const address = await second.ready;
  assert.equal(postmasterOf(dir), postmaster);
  assert.equal(await statusAs(address, key), 200);
  assert.equal(await second.stop(), 0);
  assert.deepEqual(postgresIn(dir), []);
});

/** The start fails with these words and leaves nothing running. */
async function refused(dir: string, settings: Record<string, string>, words: RegExp): Promise<void> {
  const server = start(dir, settings);
  await assert.rejects(server.ready, words);
  assert.equal(server.child.exitCode, 1);
  assert.deepEqual(postgresIn(dir), []);
  assert.equal(existsSync(join(dir, 'atrium.lock')), false);
}

test('a wrong master key stops the start and says what to do', async () => {
  const wrong = { ...env, ATRIUM_SECRET_KEY: 'another-secret-key-0123456789' };
  await refused(usedDir(), wrong, /could not start: The master key is not the one.*Set ATRIUM_SECRET_KEY/s);
});

test('a database newer than the program is left alone', async () => {
  const dir = usedDir();
  const server = start(dir);
  await server.ready;
  await sql(databaseOf(dir), `insert into schema_migrations (version, name, checksum) values (9000, 'future', '')`);
  await server.stop();
  await refused(dir, env, /could not start: The database is newer than this program: it has migration 9000 \(future\)/);
});

test('a port in use is named', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  await refused(usedDir(), { ...env, PORT: String(port) }, new RegExp(`could not start: .*in use.*${port}`));
});

test('the first start makes a master key and shows an admin key; the second shows none', async () => {
  const dir = join(root, 'first');
  const first = start(dir, {});
  const address = await first.ready;
  assert.equal(statSync(join(dir, 'master.key')).mode & 0o777, 0o600);
  // It is printed right after the address.
  await until(() => first.output().includes('Admin API key'));
  const shown = /Admin API key, shown this once: (\S+)/.exec(first.output())?.[1] ?? '';
  assert.equal(await statusAs(address, shown), 200);
  await first.stop();
  const second = start(dir, {});
  assert.equal(await statusAs(await second.ready, shown), 200);
  await second.stop();
  assert.doesNotMatch(second.output(), /Admin API key/);
});

test('a changed ATRIUM_ADMIN_KEY replaces the one before', async () => {
  const dir = usedDir();
  const changed = 'changed-admin-key-0123456789';
  const server = start(dir, { ...env, ATRIUM_ADMIN_KEY: changed });
  const address = await server.ready;
  assert.equal(await statusAs(address, changed), 200);
  assert.equal(await statusAs(address, key), 401);
  await server.stop();
});
