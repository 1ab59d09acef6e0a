import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { newId } from '../../lib/ids.ts';
import { type BoxKey, newBoxKey } from '../../lib/secrets/sealed-box.ts';
import { chunkBytes, escapePrefix, frameBytes, headerBytes } from './blob-format.ts';
import { blobStoreConformance } from './conformance.ts';
import { makeDiskBlobs } from './disk.ts';
import { BlobDamaged, type BlobKeys, type EncryptedBlobStore } from './driver.ts';
import { makeEncryptedBlobs } from './encrypted.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-encrypted-'));
after(() => rmSync(dir, { recursive: true, force: true }));

function fixedKeys(key: BoxKey): BlobKeys {
  return { current: async () => key, find: async (_, id) => (id === key.id ? key : undefined) };
}
const keys = fixedKeys(newBoxKey());
const raw = makeDiskBlobs(join(dir, 'blobs'));
const [on, off] = [true, false].map((encrypt) => makeEncryptedBlobs(raw, { keys, encrypt })) as [
  EncryptedBlobStore,
  EncryptedBlobStore,
];

for (const encrypt of [true, false])
  blobStoreConformance(encrypt ? 'encrypted' : 'plain, with the switch off', async () =>
    makeEncryptedBlobs(makeDiskBlobs(join(dir, `conformance-${encrypt}`)), { keys, encrypt }),
  );

const here = newId();
const pathOf = (id: string, workspace_id = here) => join(dir, 'blobs', workspace_id, id.slice(-2), id);
const put = async (content: Buffer, store = on) => {
  const id = newId();
  assert.equal((await store.put(here, id, Readable.from([content]), 1e9)).size, content.length);
  return id;
};
const read = async (id: string, range?: { start: number; end: number }, store = on, workspace_id = here) =>
  buffer(await store.get(workspace_id, id, range));
const refused = (id: string, range?: { start: number; end: number }, store = on, workspace_id = here) =>
  assert.rejects(read(id, range, store, workspace_id), BlobDamaged);

test('stores no plain word of an encrypted blob, and 48 bytes and 16 for each chunk more', async () => {
  const content = Buffer.from('the plain words '.repeat(10_000));
  const id = await put(content);
  const stored = readFileSync(pathOf(id));
  assert.ok(!stored.includes('plain') && !stored.includes('words'));
  assert.equal(stored.length, content.length + 48 + 16 * Math.ceil(content.length / chunkBytes));
  assert.deepEqual(await read(id), content);
  assert.notDeepEqual(readFileSync(pathOf(await put(content))).subarray(headerBytes), stored.subarray(headerBytes));
});

test('reads every range of an encrypted blob, within a chunk and across chunks', async () => {
  for (const size of [1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 3 * chunkBytes + 7]) {
    const content = randomBytes(size);
    const id = await put(content);
    const edges = [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes, size - 1].filter((n) => n < size);
    for (const start of edges)
      for (const end of edges.filter((n) => n >= start))
        assert.ok(content.subarray(start, end + 1).equals(await read(id, { start, end })), `${size}: ${start}-${end}`);
  }
});

test('refuses a blob that is cut anywhere, whole and by a range to its end', async () => {
  const size = 3 * chunkBytes + 100;
  const id = await put(randomBytes(size));
  const stored = readFileSync(pathOf(id));
  const lengths = [8, 20, headerBytes - 1, headerBytes, headerBytes + 5, headerBytes + frameBytes];
  for (const length of [...lengths, headerBytes + 3 * frameBytes, stored.length - 17, stored.length - 1]) {
    writeFileSync(pathOf(id), stored.subarray(0, length));
    await refused(id);
    await refused(id, { start: 10, end: size - 1 });
  }
  writeFileSync(pathOf(id), Buffer.concat([stored, stored.subarray(headerBytes)]));
  await refused(id);
});

test('refuses a blob with any part altered, and frames that are swapped, repeated or of another blob', async () => {
  const id = await put(randomBytes(3 * chunkBytes));
  const stored = readFileSync(pathOf(id));
  for (const place of [7, 8, 15, 16, 47, 48, headerBytes + frameBytes + 3, stored.length - 1]) {
    const altered = Buffer.from(stored);
    altered[place] = (altered[place] as number) ^ 4;
    writeFileSync(pathOf(id), altered);
    await refused(id);
  }
  const frame = (index: number, of = stored) =>
    of.subarray(headerBytes + index * frameBytes, headerBytes + (index + 1) * frameBytes);
  const header = stored.subarray(0, headerBytes);
  const other = readFileSync(pathOf(await put(randomBytes(3 * chunkBytes))));
  for (const frames of [
    [frame(1), frame(0), frame(2)],
    [frame(0), frame(0), frame(2)],
    [frame(0), frame(2)],
    [frame(0), frame(1, other), frame(2)],
  ]) {
    writeFileSync(pathOf(id), Buffer.concat([header, ...frames]));
    await refused(id);
  }
  writeFileSync(pathOf(id), Buffer.concat([header, frame(1), frame(0), frame(2)]));
  await refused(id, { start: chunkBytes, end: chunkBytes });
});

test('refuses a blob that is moved to another id or workspace, or whose key is another', async () => {
  const id = await put(Buffer.from('mine'));
  const [otherId, elsewhere] = [newId(), newId()];
  for (const path of [pathOf(otherId), pathOf(id, elsewhere)]) {
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(pathOf(id), path);
  }
  await refused(otherId);
  await refused(id, undefined, on, elsewhere);
  await refused(id, undefined, makeEncryptedBlobs(raw, { keys: fixedKeys(newBoxKey()), encrypt: true }));
  const impostor = { ...newBoxKey(), id: (await keys.current(here)).id };
  await refused(id, undefined, makeEncryptedBlobs(raw, { keys: fixedKeys(impostor), encrypt: true }));
  assert.equal((await read(id)).toString(), 'mine');
});

test('reads both forms under both switches, and converts each into the other and back', async () => {
  const content = Buffer.from('words in both forms '.repeat(9000));
  const [plain, encrypted] = [await put(content, off), await put(content, on)];
  for (const store of [on, off])
    for (const id of [plain, encrypted]) assert.deepEqual(await read(id, undefined, store), content);
  assert.deepEqual([await on.convert(here, plain), await on.convert(here, encrypted)], [true, false]);
  assert.ok(!readFileSync(pathOf(plain)).includes('words'));
  assert.equal((statSync(pathOf(plain)).mode & 0o777).toString(8), '600');
  for (const store of [on, off])
    assert.deepEqual(await read(plain, { start: 9, end: 99_999 }, store), content.subarray(9, 100_000));
  assert.equal(await off.convert(here, plain), true);
  assert.deepEqual(readFileSync(pathOf(plain)), content);
  assert.equal(await off.convert(here, newId()), false, 'a blob that is gone');
});

test('a reader that began before a conversion reads on to the end', async () => {
  const content = randomBytes(2_000_000);
  const id = await put(content, off);
  const readers = [await off.get(here, id)];
  await on.convert(here, id);
  readers.push(await off.get(here, id));
  await off.convert(here, id);
  for (const reader of readers) assert.ok(content.equals(await buffer(reader)));
});

test('does not convert a damaged blob, and does not bring back a deleted one', async () => {
  const id = await put(randomBytes(3 * chunkBytes));
  const cut = readFileSync(pathOf(id)).subarray(0, headerBytes + 2 * frameBytes);
  writeFileSync(pathOf(id), cut);
  await assert.rejects(off.convert(here, id), BlobDamaged);
  assert.deepEqual(readFileSync(pathOf(id)), cut);

  const gone = newId();
  await raw.put(here, gone, Readable.from([Buffer.from('x')]), 10);
  async function* deletedMeanwhile() {
    yield Buffer.from('y');
    await raw.deleteWorkspace(here);
  }
  assert.equal(await raw.replace(here, gone, deletedMeanwhile()), false);
  assert.throws(() => statSync(dirname(dirname(pathOf(gone)))), /ENOENT/);
});

test('stores an upload that looks like an encrypted blob so that it is read as it was sent', async () => {
  const secret = await put(Buffer.from('x'.repeat(100)));
  const copy = readFileSync(pathOf(secret));
  for (const content of [copy, escapePrefix, escapePrefix.subarray(0, 7), escapePrefix.subarray(0, 3)])
    for (const store of [on, off]) {
      const id = newId();
      const bytes = [...content].map((byte) => Buffer.from([byte]));
      assert.equal((await store.put(here, id, Readable.from(bytes), 1e9)).size, content.length);
      assert.deepEqual(await read(id, undefined, store), content);
      assert.deepEqual(await read(id, { start: 1, end: 2 }, store), content.subarray(1, 3));
      await on.convert(here, id);
      assert.deepEqual(await read(id), content);
      await off.convert(here, id);
      assert.deepEqual(await read(id), content);
    }
});

test('closes the file when a stream is destroyed before it was read', async () => {
  const id = await put(randomBytes(2_000_000));
  const { readdirSync } = await import('node:fs');
  const open = () => readdirSync('/proc/self/fd').length;
  const before = process.platform === 'linux' ? open() : 0;
  for (let count = 0; count < 20; count++) {
    const stream = await on.get(here, id);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    await closed;
  }
  if (process.platform === 'linux') assert.ok(open() < before + 10);
});
