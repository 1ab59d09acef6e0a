// Alone in its process: starts the program several times, with an embedded database of its own.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBackup } from '../scripts/backup/make-backup.ts';
import { restoreBackup } from '../scripts/backup/restore-backup.ts';
import { gone, killAll, postgresIn, type ServerProcess, startProcess } from '../test/support/server-process.ts';
import { adminKey } from '../test/support/test-config.ts';

const root = mkdtempSync(join(tmpdir(), 'atrium-backup-'));
const [live, copy, backups] = [join(root, 'live'), join(root, 'copy'), join(root, 'backups')];
const passphrase = 'correct horse battery staple';
const place = (data_dir: string) => ({
  ...{ data_dir, database_url: undefined, database_direct_url: undefined, secret_key: undefined },
  ...{ blobs: undefined, indexes: undefined, findBackupBucket: () => undefined },
});
const started: ServerProcess[] = [];
function start(dir: string): ServerProcess {
  const node = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: adminKey, ATRIUM_ENCRYPT_AT_REST: 'on' } });
  started.push(node);
  return node;
}
after(async () => {
  for (const { child } of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  for (const dir of [live, copy]) {
    killAll(postgresIn(dir));
    await gone(dir);
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

async function api(address: string, method: string, path: string, body?: FormData | object) {
  const form = body instanceof FormData;
  const headers = { 'x-api-key': adminKey, ...(body && !form && { 'content-type': 'application/json' }) };
  const sent = body && { body: form ? body : JSON.stringify(body) };
  const response = await fetch(`${address}/v1${path}`, { method, headers, ...sent });
  assert.equal(response.status, 200, await response.clone().text());
  return Buffer.from(await response.arrayBuffer());
}
// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
const json = (bytes: Buffer) => JSON.parse(bytes.toString()) as any;

/** Uploads a file with random bytes and an agent; what was acknowledged. */
async function store(address: string, at: number) {
  const bytes = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 31 + at * 17) % 251));
  const form = new FormData();
  form.append('file', new Blob([bytes]), `file-${at}.bin`);
  const file = json(await api(address, 'POST', '/files', form));
  const agent = json(await api(address, 'POST', '/agents', { name: `Agent ${at}` }));
  return {
    file_id: file.id as string,
    agent_id: agent.id as string,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

const bytesIn = (dir: string) =>
  (readdirSync(dir, { recursive: true }) as string[])
    .map((path) => statSync(join(dir, path)))
    .reduce((sum, facts) => sum + (facts.isFile() ? facts.size : 0), 0);

test('restores everything that was acknowledged before a backup that is made under load', async (t) => {
  const server = start(live);
  const address = await server.ready;
  await api(address, 'POST', '/variables', { name: 'token', inline_value: 'kept', is_secret: true });
  const stored: Awaited<ReturnType<typeof store>>[] = [];
  for (let at = 0; at < 40; at++) stored.push(await store(address, at));
  const acknowledged = stored.length;
  let isOver = false;
  const writers = [0, 1].map(async (writer) => {
    for (let at = 1000 * (writer + 1); !isOver; at++) stored.push(await store(address, at));
  });
  const since = Date.now();
  const made = await makeBackup(place(live), backups, passphrase);
  t.diagnostic(`backup: ${Date.now() - since} ms, ${made.files} files, ${(bytesIn(backups) / 1e6).toFixed(1)} MB`);
  isOver = true;
  await Promise.all(writers);
  t.diagnostic(`${stored.length - acknowledged} were stored during the backup`);
  assert.ok(made.files >= 40);

  const again = await makeBackup(place(live), backups, passphrase);
  assert.ok(again.written <= stored.length - made.files + 5, `${again.written} files were written again`);
  assert.ok(again.files >= stored.length);
  assert.equal(await server.stop(), 0);

  const plain = readFileSync(join(backups, made.name, 'database'));
  assert.ok(!plain.includes('Agent 1'), 'nothing is readable');
  await assert.rejects(restoreBackup(place(copy), backups, 'another passphrase'), /not the passphrase/);
  await assert.rejects(restoreBackup(place(live), backups, passphrase), /is not empty/);
  const restored = await restoreBackup(place(copy), backups, passphrase, made.name);
  assert.equal(restored.name, made.name);

  const second = start(copy);
  const there = await second.ready;
  for (const { file_id, agent_id, sha256 } of stored.slice(0, acknowledged)) {
    assert.equal(json(await api(there, 'GET', `/agents/${agent_id}`)).id, agent_id);
    const bytes = await api(there, 'GET', `/files/${file_id}`);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  }
  // No row without its bytes, also of what came during the backup.
  const listed = json(await api(there, 'GET', '/files?limit=100'));
  const items = (listed.items ?? listed) as { id: string }[];
  assert.ok(items.length >= 40);
  for (const { id } of items) await api(there, 'GET', `/files/${id}`);
  const variables = json(await api(there, 'GET', '/variables'));
  assert.ok(JSON.stringify(variables).includes('token'));
  assert.equal(await second.stop(), 0);
});

test('refuses a backup of which a byte was changed', async () => {
  const [name] = readdirSync(backups).filter((entry) => /^\d{8}T/.test(entry));
  const path = join(backups, name as string, 'database');
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const target = join(root, 'damaged');
  await assert.rejects(restoreBackup(place(target), backups, passphrase, name), /altered/);
});
