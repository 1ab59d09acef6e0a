import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { before, suite, test } from 'node:test';
import { AppError } from '@atrium/contract/errors.ts';
import { newId } from '../../lib/ids.ts';
import { BlobMissing, type BlobStore } from './driver.ts';

const anyLimit = 1e9;

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What every blob store keeps to. */
export function blobStoreConformance(name: string, make: () => Promise<BlobStore>): void {
  suite(`blob store: ${name}`, () => {
    let blobs: BlobStore;
    const here = newId();
    const put = (id: string, content: Buffer, limit = anyLimit, workspace_id = here) =>
      blobs.put(workspace_id, id, Readable.from(content.length ? [content] : []), limit);
    const missing = (id: string, workspace_id = here) => assert.rejects(blobs.get(workspace_id, id), BlobMissing);
    before(async () => {
      blobs = await make();
    });

    for (const size of [0, 1, 65_536, 3_000_001, 9_000_001])
      test(`get returns the bytes that put stored, ${size} bytes`, async () => {
        const [id, content] = [newId(), randomBytes(size)];
        const sha256 = createHash('sha256').update(content).digest('hex');
        assert.deepEqual(await put(id, content), { size, sha256 });
        assert.ok(content.equals(await buffer(await blobs.get(here, id))));
      });

    test('a range is the bytes from its first to its last', async () => {
      const id = newId();
      await put(id, Buffer.from('0123456789'));
      const read = async (start: number, end: number) =>
        (await buffer(await blobs.get(here, id, { start, end }))).toString();
      assert.equal(await read(0, 0), '0');
      assert.equal(await read(3, 5), '345');
      assert.equal(await read(9, 9), '9');
    });

    test('stores nothing when a blob is one byte over the limit', async () => {
      const [fits, beyond] = [newId(), newId()];
      await put(fits, Buffer.alloc(100), 100);
      const tooLarge = (error: unknown) => error instanceof AppError && error.kind === 'too_large';
      await assert.rejects(put(beyond, Buffer.alloc(101), 100), tooLarge);
      await missing(beyond);
    });

    test('stores nothing and passes on the error when the stream fails', async () => {
      const id = newId();
      async function* broken() {
        yield Buffer.alloc(100_000);
        throw new Error('cut off');
      }
      await assert.rejects(blobs.put(here, id, broken(), anyLimit), /cut off/);
      await missing(id);
      assert.equal(await blobs.removePartial(new Date(Date.now() + 1000)), 0);
    });

    test('does not return a blob to another workspace', async () => {
      const id = newId();
      await put(id, Buffer.from('mine'));
      await missing(id, newId());
    });

    test('a deleted blob is gone, and deleting it again is fine', async () => {
      const id = newId();
      await put(id, Buffer.from('x'));
      await blobs.delete(here, id);
      await missing(id);
      await blobs.delete(here, id);
    });

    test('deletes all blobs of a workspace and none of another workspace', async () => {
      const [gone, id] = [newId(), newId()];
      await put(id, Buffer.from('x'), anyLimit, gone);
      await put(id, Buffer.from('x'));
      await blobs.deleteWorkspace(gone);
      await missing(id, gone);
      assert.equal((await buffer(await blobs.get(here, id))).toString(), 'x');
      await blobs.deleteWorkspace(gone);
    });

    test('the list has every blob older than a moment', async () => {
      const [workspace_id, id] = [newId(), newId()];
      await put(id, Buffer.from('x'), anyLimit, workspace_id);
      const own = async (moment: number) =>
        (await collect(blobs.list(new Date(moment)))).filter((blob) => blob.workspace_id === workspace_id);
      assert.deepEqual(await own(Date.now() + 1000), [{ workspace_id, id }]);
      assert.deepEqual(await own(Date.now() - 60_000), []);
    });

    test('a name that is no UUID is refused before anything is touched', async () => {
      for (const name of ['../../etc/passwd', '', '.', newId().toUpperCase(), `${newId()}/..`]) {
        await assert.rejects(async () => blobs.get(here, name), /UUID/);
        await assert.rejects(async () => blobs.get(name, newId()), /UUID/);
        await assert.rejects(async () => blobs.delete(here, name), /UUID/);
        await assert.rejects(async () => blobs.deleteWorkspace(name), /UUID/);
        await assert.rejects(async () => blobs.put(here, name, Readable.from([]), 1), /UUID/);
      }
    });
  });
}
