import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { killAll } from '../../../test/support/server-process.ts';
import { adoptPostmaster } from './adopt-postmaster.ts';
import { findBinaries } from './binaries.ts';
import { argumentsOf, isRunning } from './process-info.ts';
import { startEmbedded } from './start-embedded.ts';
import { childrenOf, gone, kill, sql, startInChild, workspace } from './testing.ts';

let dir: string;
let remove: () => Promise<void>;

const template = workspace();

before(async () => (await startEmbedded({ dir: template.dir })).stop());
after(() => template.remove());
beforeEach(() => {
  ({ dir, remove } = workspace());
});
afterEach(() => remove());

// Quicker than a first start.
function useTemplate(to = dir): void {
  cpSync(template.dir, to, { recursive: true });
}

test('the first start makes a cluster, a restart keeps its data, and stop may be called twice', async () => {
  const server = await startEmbedded({ dir });
  assert.equal(server.adopted, false);
  assert.equal(server.connection.host, join(dir, 'socket'));
  assert.deepEqual(readdirSync(dir).sort(), ['cluster', 'password', 'server.log', 'socket']);
  for (const file of ['password', 'server.log']) assert.equal(statSync(join(dir, file)).mode & 0o777, 0o600);
  assert.equal(Buffer.from(readFileSync(join(dir, 'password'), 'utf8'), 'base64url').length, 32);
  const [settings] = await sql(
    server.connection,
    `SELECT current_database(), current_user, current_setting('fsync') AS fsync, current_setting('jit') AS jit,
       current_setting('data_checksums') AS checksums, current_setting('server_encoding') AS encoding,
       current_setting('listen_addresses') AS tcp, lower('ÄÉП') AS lower, 'Z' < 'a' AS by_code_point,
       to_tsvector('simple', '«Мир» École') @@ to_tsquery('simple', 'мир & école') AS finds`,
  );
  assert.deepEqual(settings, {
    current_database: 'atrium',
    current_user: 'atrium',
    fsync: 'on',
    jit: 'off',
    checksums: 'on',
    encoding: 'UTF8',
    tcp: '',
    lower: 'äéп',
    by_code_point: true,
    finds: true,
  });
  await assert.rejects(sql({ ...server.connection, password: 'wrong' }, 'SELECT 1'), /password authentication failed/);
  await sql(server.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await Promise.all([server.stop(), server.stop()]);
  assert.equal(isRunning(server.pid), false);

  truncateSync(join(dir, 'server.log'), 11 * 1024 * 1024);
  const again = await startEmbedded({ dir });
  assert.equal(again.adopted, false);
  assert.deepEqual(await sql(again.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  assert.ok(statSync(join(dir, 'server.log')).size < 1024 * 1024, 'a log over 10 MB is cut at the start');
  await again.stop();
});

test('a server whose parent was killed goes on, is adopted, and can be stopped by the adopter', async () => {
  useTemplate();
  const { child, server } = await startInChild({ dir });
  await sql(server.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await kill(child);
  assert.ok(isRunning(server.pid));
  const adopter = await startEmbedded({ dir });
  assert.equal(adopter.adopted, true);
  assert.equal(adopter.pid, server.pid);
  assert.deepEqual(await sql(adopter.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  await adopter.stop();
  assert.equal(isRunning(server.pid), false);
});

test('acknowledged rows are there after the postmaster and all its processes were killed', async () => {
  useTemplate();
  const server = await startEmbedded({ dir });
  await sql(server.connection, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n');
  // Those that notice first that their postmaster is gone end by themselves.
  killAll([server.pid, ...childrenOf(server.pid)]);
  await gone(server.pid);
  const again = await startEmbedded({ dir });
  assert.deepEqual(await sql(again.connection, 'SELECT count(*)::int FROM kept'), [{ count: 1000 }]);
  await again.stop();
});

test('a start waits for backends that outlive a killed postmaster', async () => {
  useTemplate();
  const server = await startEmbedded({ dir });
  // A loop in one statement does not look whether its postmaster lives. It ends when there is this file, or in a minute.
  const enough = join(dir, 'enough');
  const busy = sql(
    server.connection,
    `DO $$ DECLARE until timestamptz := clock_timestamp() + interval '60 s'; BEGIN
       WHILE clock_timestamp() < until AND pg_stat_file('${enough}', true) IS NULL LOOP END LOOP; END $$`,
  ).catch(() => {});
  const findBackend = () => sql(server.connection, `SELECT pid FROM pg_stat_activity WHERE query LIKE 'DO%'`);
  let backend = 0;
  for (let looks = 0; looks < 1000 && backend === 0; looks++) backend = Number((await findBackend())[0]?.['pid'] ?? 0);
  assert.ok(backend, 'the loop is under way');
  process.kill(server.pid, 'SIGKILL');
  await gone(server.pid);
  let isStarted = false;
  const starting = startEmbedded({ dir }).finally(() => {
    isStarted = true;
  });
  const hasTried = () => readFileSync(join(dir, 'server.log'), 'utf8').includes('pre-existing shared memory block');
  while (!hasTried() && !isStarted) await sleep(10);
  assert.deepEqual([isStarted, isRunning(backend)], [false, true], 'the start waits while the backend lives');
  writeFileSync(enough, '');
  const again = await starting;
  assert.equal(isRunning(backend), false);
  assert.deepEqual([again.adopted, again.pid === server.pid], [false, false]);
  assert.deepEqual(await sql(again.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
  await Promise.all([again.stop(), busy]);
});

// The binaries with an initdb that stands still where it is half done, for as long as its files are there.
function standsStill(): string {
  const package_ = dirname(findBinaries());
  const copy = join(dirname(dir), 'package');
  cpSync(package_, copy, { recursive: true, verbatimSymlinks: true });
  const postgres = join(copy, 'native', 'bin', 'postgres');
  renameSync(postgres, `${postgres}-itself`);
  const script = `#!/bin/sh
    case "$*" in *--single*) : > stands-still; while [ -e stands-still ]; do sleep 0.1; done; exit 1;; esac
    exec "$0-itself" "$@"`;
  writeFileSync(postgres, script, { mode: 0o755 });
  return join(copy, 'native');
}

test('a half-made cluster is thrown away', async () => {
  mkdirSync(join(dir, 'cluster-new-abc'), { recursive: true });
  writeFileSync(join(dir, 'cluster-new-abc', 'PG_VERSION'), '18\n');
  writeFileSync(join(dir, 'initdb-password'), 'secret');
  const first = startInChild({ dir, native: standsStill() }).catch(() => null);
  // Killed in the middle: the draft is there, the cluster isn't.
  const drafts = () => readdirSync(dir).filter((name) => name.startsWith('cluster-new-') && !name.endsWith('abc'));
  while (!drafts().some((name) => existsSync(join(dir, name, 'stands-still')))) await sleep(10);
  const parent = childrenOf(process.pid).find((pid) => argumentsOf(pid).join(' ').includes(dir));
  assert.ok(parent && !existsSync(join(dir, 'cluster')));
  process.kill(parent, 'SIGKILL');
  await first;
  const server = await startEmbedded({ dir });
  assert.deepEqual(readdirSync(dir).sort(), ['cluster', 'password', 'server.log', 'socket']);
  await server.stop();
});

test('a postmaster.pid with the pid of some other process is stale, and that process is left alone', async (t) => {
  useTemplate();
  const other = spawn('sleep', ['60'], { cwd: join(dir, 'cluster') });
  t.after(() => kill(other));
  const lines = [other.pid, join(dir, 'cluster'), 1, 5432, '../socket', '', '1 1', 'ready'];
  writeFileSync(join(dir, 'cluster', 'postmaster.pid'), `${lines.join('\n')}\n`);
  writeFileSync(join(dir, 'socket', '.s.PGSQL.5432.lock'), `${lines.join('\n')}\n`);
  const server = await startEmbedded({ dir });
  assert.equal(server.adopted, false);
  assert.equal(other.exitCode, null);
  assert.equal(other.signalCode, null);
  await server.stop();
});

test('a server that is alive and does not answer is stopped, and a new one started', async () => {
  useTemplate();
  const { child, server } = await startInChild({ dir });
  await kill(child);
  process.kill(server.pid, 'SIGSTOP');
  const messages: string[] = [];
  const { password } = server.connection;
  const log = (message: string) => messages.push(message);
  assert.equal(await adoptPostmaster({ cluster: join(dir, 'cluster'), password, log, silenceMs: 300 }), null);
  assert.match(messages.join('\n'), /does not answer/);
  assert.equal(isRunning(server.pid), false);
  const again = await startEmbedded({ dir });
  assert.equal(again.adopted, false);
  await again.stop();
});

test('where the path is too long for a socket it listens on loopback only, and is adopted there too', async () => {
  const long = join(dir, 'x'.repeat(100));
  useTemplate(long);
  const { child, server } = await startInChild({ dir: long });
  assert.equal(server.connection.host, '127.0.0.1');
  assert.notEqual(server.connection.port, 5432);
  assert.deepEqual(await sql(server.connection, 'SHOW listen_addresses'), [{ listen_addresses: '127.0.0.1' }]);
  await assert.rejects(sql({ ...server.connection, password: 'wrong' }, 'SELECT 1'), /password authentication failed/);
  await kill(child);
  const adopter = await startEmbedded({ dir: long });
  assert.equal(adopter.adopted, true);
  assert.deepEqual(adopter.connection, server.connection);
  await adopter.stop();
});

test('a cluster of another major version is refused, saying what to do, and so is what is no cluster', async () => {
  mkdirSync(join(dir, 'cluster'), { recursive: true });
  writeFileSync(join(dir, 'cluster', 'PG_VERSION'), '17\n');
  await assert.rejects(startEmbedded({ dir }), /made by PostgreSQL 17.*export the data there.*DATABASE_URL/s);
  const other = join(dirname(dir), 'other');
  mkdirSync(join(other, 'cluster'), { recursive: true });
  writeFileSync(join(other, 'cluster', 'letter.txt'), '');
  await assert.rejects(startEmbedded({ dir: other }), /no PG_VERSION.*DATABASE_URL/s);
});

test('a server that ends at once is reported with what it said', async () => {
  useTemplate();
  writeFileSync(join(dir, 'cluster', 'postgresql.conf'), 'nonsense\n');
  await assert.rejects(startEmbedded({ dir }), /cannot start.*code 1.*syntax error in file.*DATABASE_URL/s);
});
