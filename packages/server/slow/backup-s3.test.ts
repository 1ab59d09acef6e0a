// Alone on the machine: it copies a server under load.
// Alone in its process: starts the program several times, with an embedded database of its own.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBackup } from '../scripts/backup/make-backup.ts';
import { restoreBackup } from '../scripts/backup/restore-backup.ts';
import { moveFiles } from '../scripts/files/move-files.ts';
import type { S3Bucket } from '../src/drivers/blobs/driver.ts';
import { s3Server } from '../test/support/s3/s3-server.ts';
import { gone, killAll, postgresIn, type ServerProcess, startProcess } from '../test/support/server-process.ts';
import { adminKey } from '../test/support/test-config.ts';

const root = mkdtempSync(join(tmpdir(), 'atrium-backup-s3-'));
const [live, copy, backups] = [join(root, 'live'), join(root, 'copy'), join(root, 'backups')];
const passphrase = 'correct horse battery staple';
const store = await s3Server({ prefix: 'live/' });
const second: S3Bucket = { ...store.place, prefix: 'copy/' };
const place = (data_dir: string, blobs: S3Bucket | undefined) => ({
  ...{ data_dir, blobs, database_url: undefined, database_direct_url: undefined, secret_key: undefined },
});
const started: ServerProcess[] = [];
function start(dir: string, bucket?: S3Bucket): ServerProcess {
  const node = startProcess({
    dir,
    env: {
      ATRIUM_ADMIN_KEY: adminKey,
      ...(bucket && {
        ATRIUM_BLOBS: `s3://${bucket.bucket}/${bucket.prefix.slice(0, -1)}`,
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
  for (const dir of [live, copy]) {
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
const download = async (address: string, id: string) => (await fetch(`${address}/v1/files/${id}`, { headers })).text();
const under = (prefix: string) => [...store.objects.keys()].filter((key) => key.startsWith(`${prefix}blobs/`)).length;

test('backs up files of a bucket, restores them to another prefix, and moves them to the disk and back', async () => {
  const server = start(live, store.place);
  const address = await server.ready;
  const ids = [await upload(address, 'first'), await upload(address, 'second')];
  assert.equal(under('live/'), 2);
  const made = await makeBackup(place(live, store.place), backups, passphrase);
  assert.equal(made.files, 2);
  assert.equal((await makeBackup(place(live, store.place), backups, passphrase)).written, 0);
  await assert.rejects(moveFiles(place(live, store.place), 'to-disk'), /is running/);
  assert.equal(await server.stop(), 0);

  await assert.rejects(restoreBackup(place(copy, store.place), backups, passphrase), /the prefix is not empty/);
  await restoreBackup(place(copy, second), backups, passphrase);
  assert.ok(!existsSync(join(copy, 'blobs')));
  assert.equal(under('copy/'), 2);
  const restored = start(copy, second);
  const there = await restored.ready;
  assert.deepEqual(await Promise.all(ids.map((id) => download(there, id))), ['first', 'second']);
  assert.equal(await restored.stop(), 0);

  assert.equal(await moveFiles(place(copy, second), 'to-disk'), 2);
  assert.equal(under('copy/'), 0);
  await assert.rejects(start(copy, second).ready, /there are files in .*npm run move-files/);
  const onDisk = start(copy);
  assert.equal(await download(await onDisk.ready, ids[0] as string), 'first');
  assert.equal(await onDisk.stop(), 0);
  assert.equal(await moveFiles(place(copy, second), 'to-bucket'), 2);
  const again = start(copy, second);
  assert.equal(await download(await again.ready, ids[1] as string), 'second');
  assert.equal(await again.stop(), 0);
  for (const { output } of started) assert.ok(!output().includes(store.place.secret_access_key));
});

test('does not start on an empty prefix when the database knows files', async () => {
  const other = { ...store.place, prefix: 'mistyped/' };
  await assert.rejects(start(live, other).ready, /it is empty, but the database knows files/);
});
