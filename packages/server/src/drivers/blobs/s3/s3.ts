import { checkedName, isBlobName } from '../checked-name.ts';
import type { BlobName, RawBlobStore, S3Bucket } from '../driver.ts';
import { measureBlob } from '../measure-blob.ts';
import { listObjects, listUploads } from './list-objects.ts';
import { openObject } from './open-object.ts';
import { makeS3Client, type S3Client, type S3Options } from './s3-client.ts';
import { isMissing, isRefusedByCondition } from './s3-failed.ts';
import { abortUpload, writeObject } from './write-object.ts';

/** How many objects of a workspace are deleted at once. */
const deletions = 8;

export interface S3Blobs extends RawBlobStore {
  /** Every blob with its size and the time at which it was stored. */
  listStored(): AsyncIterable<BlobName & { size: number; modified: Date }>;
}

/** Objects `<prefix>blobs/<workspace_id>/<id>` of a bucket. */
export function makeS3Blobs(bucket: S3Bucket, options: S3Options): S3Blobs {
  return makeBlobsOf(makeS3Client(bucket, options));
}

function makeBlobsOf(client: S3Client): S3Blobs {
  const root = `${client.prefix}blobs/`;
  const folderOf = (workspace_id: string) => `${root}${checkedName(workspace_id)}/`;
  const keyOf = (workspace_id: string, id: string) => `${folderOf(workspace_id)}${checkedName(id)}`;
  const remove = (key: string) => client.call({ operation: 'delete', method: 'DELETE', key });

  async function* listStored() {
    for await (const { key, size, modified } of listObjects(client, root)) {
      const [workspace_id = '', id = '', ...more] = key.slice(root.length).split('/');
      if (isBlobName(workspace_id) && isBlobName(id) && !more.length) yield { workspace_id, id, size, modified };
    }
  }

  const write: RawBlobStore['write'] = (workspace_id, id, stream) =>
    writeObject(client, keyOf(workspace_id, id), stream);
  const open: RawBlobStore['open'] = async (workspace_id, id) => openObject(client, keyOf(workspace_id, id));

  return {
    write,
    open,
    listStored,

    async put(workspace_id, id, stream, limit) {
      const measured = measureBlob(stream, limit);
      await write(workspace_id, id, measured.stream);
      return measured.result();
    },

    get: async (workspace_id, id, range) => (await open(workspace_id, id)).stream(range),

    async replace(workspace_id, id, stream) {
      const key = keyOf(workspace_id, id);
      try {
        await writeObject(client, key, stream, async () => {
          const { headers } = await client.call({ operation: 'look', method: 'HEAD', key });
          return { 'if-match': headers.etag ?? '' };
        });
        return true;
      } catch (error) {
        if (isMissing(error) || isRefusedByCondition(error)) return false;
        throw error;
      }
    },

    async delete(workspace_id, id) {
      try {
        await remove(keyOf(workspace_id, id));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },

    async deleteWorkspace(workspace_id) {
      let batch: string[] = [];
      for await (const { key } of listObjects(client, folderOf(workspace_id))) {
        batch.push(key);
        if (batch.length < deletions) continue;
        await Promise.all(batch.map(remove));
        batch = [];
      }
      await Promise.all(batch.map(remove));
    },

    async *list(before) {
      for await (const { workspace_id, id, modified } of listStored())
        if (modified < before) yield { workspace_id, id };
    },

    async removePartial(before) {
      let removed = 0;
      for await (const { key, upload_id, touched } of listUploads(client, root)) {
        // A time that can't be read is no reason to remove anything.
        if (!(touched < before)) continue;
        await abortUpload(client, key, upload_id);
        removed++;
      }
      return removed;
    },
  };
}
