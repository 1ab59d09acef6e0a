// Alone in its process: starts the program several times, with an embedded database of its own.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBackup } from '../scripts/backup/make-backup.ts';
import { restoreBackup } from '../scripts/backup/restore-backup.ts';
import { moveFiles } from '../scripts/files/move-files.ts';
import type { S3Bucket } from '../src/drivers/s3/driver.ts';
import { s3Server } from '../test/support/s3/s3-server.ts';
import { gone, killAll, postgresIn, type ServerProcess, startProcess } from '../test/support/server-process.ts';
import { adminKey } from '../test/support/test-config.ts';

const root = mkdtempSync(join(tmpdir(), 'atrium-backup-s3-'));
const [live, copy, third, backups] = ['live', 'copy', 'third', 'backups'].map((name) => join(root, name)) as [
  ...[string, string, string, string],
];
const passphrase = 'correct horse battery staple';
const store = await s3Server({ prefix: 'live/' });
store.nature.page = 100;
const second: S3Bucket = { ...store.place, prefix: 'copy/' };
const place = (data_dir: string, blobs: S3Bucket | undefined) => ({
  ...{
    data_dir,
    blobs,
    indexes: blobs,
    database_url: undefined,
    database_direct_url: undefined,
    secret_key: undefined,
  },
  findBackupBucket: (target: string) =>
    target.startsWith('s3:') ? { ...store.place, prefix: `${target.slice('s3://bucket/'.length)}/` } : undefined,
});
const started: ServerProcess[] = [];
function start(dir: string, bucket?: S3Bucket): ServerProcess {
  const node = startProcess({
    dir,
    env: {
      ATRIUM_ADMIN_KEY: adminKey,
      ATRIUM_SANDBOX_ENGINE: 'just-bash',
      ...(bucket && {
        ATRIUM_BLOBS: `s3://${bucket.bucket}/${bucket.prefix.slice(0, -1)}`,
        ATRIUM_INDEXES: `s3://${bucket.bucket}/${bucket.prefix.slice(0, -1)}`,
        ATRIUM_S3_ENDPOINT: bucket.endpoint,
        ATRIUM_S3_REGION: bucket.region,
        ATRIUM_S3_ACCESS_KEY_ID: bucket.access_key_id,
        ATRIUM_S3_SECRET_ACCESS_KEY: bucket.secret_access_key,
      }),
    },
  });
  started.push(node);
  return node;
}
after(async () => {
  for (const { child } of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  for (const dir of [live, copy, third]) {
    killAll(postgresIn(dir));
    await gone(dir);
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

const headers = { 'x-api-key': adminKey };
async function upload(address: string, text: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([text]), 'a.txt');
  const response = await fetch(`${address}/v1/files`, { method: 'POST', headers, body: form });
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { id: string }).id;
}
async function post(address: string, path: string, body: object) {
  const sent = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(`${address}/v1${path}`, sent);
  assert.equal(response.status, 200, await response.clone().text());
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
  return (await response.json()) as any;
}
const download = async (address: string, id: string) => (await fetch(`${address}/v1/files/${id}`, { headers })).text();
const under = (prefix: string) => [...store.objects.keys()].filter((key) => key.startsWith(`${prefix}blobs/`)).length;
const inSandbox = async (address: string, id: string, command: string): Promise<string> =>
  (await post(address, `/sandboxes/${id}/exec`, { command })).stdout;

test('backs up files of a bucket, restores them to another prefix, and moves them to the disk and back', async () => {
  const server = start(live, store.place);
  const address = await server.ready;
  const ids = [await upload(address, 'first'), await upload(address, 'second')];
  const { id: sandbox } = await post(address, '/sandboxes', { label: 'kept', persistent: true });
  await inSandbox(address, sandbox, 'mkdir empty && echo inside > f');
  assert.equal(under('live/'), 3);
  const made = await makeBackup(place(live, store.place), backups, passphrase);
  assert.ok(made.files >= 3);
  assert.equal((await makeBackup(place(live, store.place), backups, passphrase)).written, 0);

  // To a bucket, and only what is new.
  const inBucket = await makeBackup(place(live, store.place), 's3://bucket/backups', passphrase);
  assert.equal(inBucket.files, made.files);
  ids.push(await upload(address, 'third'));
  assert.equal((await makeBackup(place(live, store.place), 's3://bucket/backups', passphrase)).written, 1);
  for (const [key, { bytes }] of store.objects)
    if (key.startsWith('backups/')) assert.ok(!bytes.includes('first') && !bytes.includes('third'), key);
  const refused = (target: string, reason: RegExp, words = passphrase) =>
    assert.rejects(makeBackup(place(live, store.place), target, words), reason);
  await refused('s3://bucket/live/backups', /can not be in the prefix of ATRIUM_BLOBS/);
  await refused('s3://bucket/backups', /is not the passphrase/, 'another passphrase');
  await assert.rejects(moveFiles(place(live, store.place), 'to-disk'), /is running/);
  assert.equal(await server.stop(), 0);

  await assert.rejects(restoreBackup(place(copy, store.place), backups, passphrase), /the prefix is not empty/);
  await restoreBackup(place(copy, second), backups, passphrase);
  assert.ok(!existsSync(join(copy, 'blobs')));
  assert.equal(under('copy/'), 3);
  const restored = start(copy, second);
  const there = await restored.ready;
  assert.deepEqual(await Promise.all(ids.slice(0, 2).map((id) => download(there, id))), ['first', 'second']);
  assert.equal(await inSandbox(there, sandbox, 'cat f; ls'), 'inside\nempty\nf\n');
  assert.equal(await restored.stop(), 0);

  assert.equal(await moveFiles(place(copy, second), 'to-disk'), 3);
  assert.equal(under('copy/'), 0);
  await assert.rejects(start(copy, second).ready, /there are files in .*npm run move-files/);
  const onDisk = start(copy);
  const address2 = await onDisk.ready;
  assert.equal(await download(address2, ids[0] as string), 'first');
  assert.equal(await inSandbox(address2, sandbox, 'cat f'), 'inside\n');
  assert.equal(await onDisk.stop(), 0);
  assert.ok((await moveFiles(place(copy, second), 'to-bucket')) >= 2);
  const again = start(copy, second);
  assert.equal(await download(await again.ready, ids[1] as string), 'second');
  assert.equal(await again.stop(), 0);
  for (const { output } of started) assert.ok(!output().includes(store.place.secret_access_key));
});

test('restores everything from a backup in a bucket, to the disk', async () => {
  const { files } = await restoreBackup(place(third, undefined), 's3://bucket/backups', passphrase);
  assert.ok(files >= 4);
  const server = start(third);
  const address = await server.ready;
  const listed = await fetch(`${address}/v1/files`, { headers });
  const { items } = (await listed.json()) as { items: { id: string }[] };
  const texts = await Promise.all(items.map(({ id }) => download(address, id)));
  assert.deepEqual(texts.sort(), ['first', 'second', 'third']);
  const sandboxes = (await (await fetch(`${address}/v1/sandboxes`, { headers })).json()) as { items: { id: string }[] };
  assert.equal(await inSandbox(address, sandboxes.items[0]?.id ?? '', 'cat f; ls'), 'inside\nempty\nf\n');
  assert.equal(await server.stop(), 0);
});

test('notices a changed byte of a backup in a bucket, and does not restore one without its end', async () => {
  const target = 's3://bucket/backups';
  const manifests = [...store.objects.keys()].filter((key) => /^backups\/.*manifest$/.test(key)).sort();
  const [key = '', stored] = [manifests.at(-1), store.objects.get(manifests.at(-1) ?? '')];
  assert.ok(stored);
  const bytes = Buffer.from(stored.bytes);
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
  store.objects.set(key, { ...stored, bytes });
  const restore = (name?: string) => restoreBackup(place(join(root, 'none'), undefined), target, passphrase, name);
  await assert.rejects(restore(), /altered, cut off/);
  store.objects.delete(key);
  await assert.rejects(restore(key.split('/')[1]), /no whole backup/);
});

test('does not start on an empty prefix when the database knows files', async () => {
  const other = { ...store.place, prefix: 'mistyped/' };
  await assert.rejects(start(live, other).ready, /it is empty, but the database knows files/);
});
