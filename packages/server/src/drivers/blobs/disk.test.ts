import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { newId } from '../../lib/ids.ts';
import { blobStoreConformance } from './conformance.ts';
import { makeDiskBlobs } from './disk.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-blobs-'));
after(() => rmSync(dir, { recursive: true, force: true }));

blobStoreConformance('disk', async () => makeDiskBlobs(join(dir, 'conformance')));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('creates files that only its own user can read, under any umask', async () => {
  const before = process.umask(0);
  try {
    const root = join(dir, 'modes');
    const [workspace_id, id] = [newId(), newId()];
    await makeDiskBlobs(root).put(workspace_id, id, Readable.from([Buffer.from('x')]), 10);
    assert.deepEqual(readdirSync(root), [workspace_id]);
    assert.equal(modeOf(root), '700');
    assert.equal(modeOf(join(root, workspace_id)), '700');
    assert.equal(modeOf(join(root, workspace_id, id.slice(-2))), '700');
    assert.equal(modeOf(join(root, workspace_id, id.slice(-2), id)), '600');
  } finally {
    process.umask(before);
  }
});

test('the partial file of a crash is never listed, and removed once it is old', async () => {
  const root = join(dir, 'crash');
  const blobs = makeDiskBlobs(root);
  const [workspace_id, id] = [newId(), newId()];
  await blobs.put(workspace_id, id, Readable.from([Buffer.from('whole')]), 10);
  const folder = join(root, workspace_id, id.slice(-2));
  const left = join(folder, `${newId().slice(0, -2)}${id.slice(-2)}.0123456789ab.part`);
  writeFileSync(left, 'half');
  const hourAgo = new Date(Date.now() - 3_600_000);
  assert.equal(await blobs.removePartial(hourAgo), 0);
  utimesSync(left, 1, 1);
  const listed: string[] = [];
  for await (const blob of blobs.list(new Date(Date.now() + 1000))) listed.push(blob.id);
  assert.deepEqual(listed, [id]);
  assert.equal(await blobs.removePartial(hourAgo), 1);
  assert.deepEqual(readdirSync(folder), [id]);
});

test('a store that was never written to is empty rather than an error', async () => {
  const blobs = makeDiskBlobs(join(dir, 'never'));
  for await (const _ of blobs.list(new Date())) assert.fail('there is nothing');
  assert.equal(await blobs.removePartial(new Date()), 0);
});
