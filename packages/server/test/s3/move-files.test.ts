import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBackup } from '../../scripts/backup/make-backup.ts';
import { moveFiles } from '../../scripts/files/move-files.ts';
import { fileServer } from '../../src/features/files/testing.ts';
import { newId } from '../../src/lib/ids.ts';
import { s3Server } from '../support/s3/s3-server.ts';
import { testServer } from '../support/test-database.ts';

const store = await s3Server({ prefix: 'one/' });
const { query } = await fileServer();
const [{ database }] = await query('select current_database() as database');
const { host, port, user, password } = testServer();
const socket = `host=${encodeURIComponent(host)}&port=${port}`;
const database_url = `postgresql://${user}:${encodeURIComponent(password)}@/${database}?${socket}`;
const data_dir = mkdtempSync(join(tmpdir(), 'atrium-move-'));
after(() => rmSync(data_dir, { recursive: true, force: true }));
const place = {
  ...{ data_dir, database_url, database_direct_url: undefined, secret_key: 'a'.repeat(40) },
  ...{ blobs: store.place, indexes: undefined, findBackupBucket: () => undefined },
};

test('does not move files from or to a prefix that has none, nor takes it over', async () => {
  for (const direction of ['to-bucket', 'to-disk', 'take-over'] as const)
    await assert.rejects(moveFiles(place, direction), /Nothing was ever stored under this prefix.*ATRIUM_BLOBS/);
  assert.equal(store.objects.size, 0);
});

test('does not take over a prefix of indexes that has none', async () => {
  const other = { ...place, blobs: undefined, indexes: store.place };
  await assert.rejects(moveFiles(other, 'take-over'), /check ATRIUM_INDEXES/);
  await assert.rejects(moveFiles(other, 'to-bucket'), /Set ATRIUM_BLOBS/);
});

test('does not back up a prefix without an owner', async () => {
  const target = join(data_dir, 'backups');
  await assert.rejects(
    makeBackup(place, target, 'correct horse battery'),
    /No files were ever stored under the prefix/,
  );
  assert.ok(!existsSync(target));
});

test('says so when a file is left behind, and ends the move when it is gone', async () => {
  const [workspace_id, id] = [newId(), newId()];
  const folder = join(data_dir, 'blobs', workspace_id, id.slice(-2));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, id), 'moved');
  const stray = join(data_dir, 'blobs', 'notes.txt');
  writeFileSync(stray, 'not ours');
  await assert.rejects(moveFiles(place, 'to-bucket'), /notes\.txt is still there/);
  assert.equal(store.objects.get(`one/blobs/${workspace_id}/${id}`)?.bytes.toString(), 'moved');
  rmSync(stray);
  assert.equal(await moveFiles(place, 'to-bucket'), 0);
  assert.ok(!existsSync(join(data_dir, 'blobs')));
});
