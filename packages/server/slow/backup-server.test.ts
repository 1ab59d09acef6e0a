// Alone in its process: has a PostgreSQL server of the system, which it backs up by pg_dump.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBackup } from '../scripts/backup/make-backup.ts';
import { restoreBackup } from '../scripts/backup/restore-backup.ts';
import { type ServerProcess, startProcess } from '../test/support/server-process.ts';
import { adminKey } from '../test/support/test-config.ts';

const installed = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
const newest = installed.map(Number).sort((a, b) => b - a)[0];
const skip = (newest === undefined || newest < 15) && 'PostgreSQL 15 or newer of the system is not installed';
const root = mkdtempSync(join(tmpdir(), 'atrium-dump-'));
const cluster = join(root, 'cluster');
const socket = join(root, 'socket');
const nobody = 65_534;
const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
const started: ServerProcess[] = [];
const secret_key = 'test-secret-key-0123456789abcdef0123456789';
const passphrase = 'correct horse battery staple';

function runTool(name: string, ...given: string[]): void {
  const program = join('/usr/lib/postgresql', String(newest), 'bin', name);
  const { status, stderr } = spawnSync(program, given, { ...account, cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  assert.equal(status, 0, String(stderr));
}
const urlOf = (database: string) => `postgres://atrium@/${database}?host=${encodeURIComponent(socket)}`;
const place = (folder: string, database: string) => ({
  ...{ data_dir: join(root, folder), database_url: urlOf(database), database_direct_url: undefined, secret_key },
  ...{ blobs: undefined, indexes: undefined, findBackupBucket: () => undefined },
});

after(async () => {
  for (const { child, kill } of started) if (child.exitCode === null && child.signalCode === null) await kill();
  if (existsSync(cluster)) runTool('pg_ctl', '-D', cluster, '-m', 'immediate', 'stop');
  rmSync(root, { recursive: true, force: true });
});

function start(folder: string, database: string): ServerProcess {
  const env = { ATRIUM_ADMIN_KEY: adminKey, ATRIUM_SECRET_KEY: secret_key, ATRIUM_DRAIN_SECONDS: '0' };
  const node = startProcess({ dir: join(root, folder), env: { ...env, DATABASE_URL: urlOf(database) } });
  started.push(node);
  return node;
}

async function api(address: string, method: string, path: string, body?: object) {
  const headers = { 'x-api-key': adminKey, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`${address}/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.equal(response.status, 200, await response.clone().text());
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
  return (await response.json()) as any;
}

test('backs up a database server with its tables and their roles, and restores them', { skip }, async () => {
  chmodSync(root, 0o755);
  mkdirSync(socket);
  if (account.uid) for (const path of [root, socket]) chownSync(path, nobody, nobody);
  runTool('initdb', '-D', cluster, '-U', 'atrium', '-A', 'trust', '--no-sync');
  runTool('pg_ctl', '-D', cluster, '-w', '-l', join(root, 'log'), '-o', `-k ${socket} -c listen_addresses=`, 'start');
  for (const database of ['live', 'copy', 'other']) runTool('createdb', '-h', socket, '-U', 'atrium', database);
  const server = start('live', 'live');
  const address = await server.ready;
  const table = await api(address, 'POST', '/tables', { name: 'people', columns: [{ name: 'name', type: 'text' }] });
  await api(address, 'POST', `/tables/${table.id}/rows`, { name: 'Ada' });
  const agent = await api(address, 'POST', '/agents', { name: 'Kept' });
  await makeBackup(place('live', 'live'), join(root, 'backups'), passphrase);

  await assert.rejects(
    restoreBackup({ ...place('copy', 'copy'), secret_key: `${secret_key}x` }, join(root, 'backups'), passphrase),
    /ATRIUM_SECRET_KEY/,
  );
  await assert.rejects(restoreBackup(place('taken', 'live'), join(root, 'backups'), passphrase), /not empty/);
  await restoreBackup(place('copy', 'copy'), join(root, 'backups'), passphrase);
  const second = start('copy', 'copy');
  const there = await second.ready;
  assert.equal((await api(there, 'GET', `/agents/${agent.id}`)).name, 'Kept');
  assert.match(JSON.stringify(await api(there, 'GET', `/tables/${table.id}/rows`)), /Ada/);
  assert.equal(await second.stop(), 0);
  assert.equal(await server.stop(), 0);
});
