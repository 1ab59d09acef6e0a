import { abortUploads, deleteObject, deleteObjects } from '../../s3/delete-objects.ts';
import type { S3Bucket } from '../../s3/driver.ts';
import { listObjects } from '../../s3/list-objects.ts';
import { makeS3Client, type S3Options } from '../../s3/s3-client.ts';
import { isMissing, isRefusedByCondition } from '../../s3/s3-failed.ts';
import { writeObject } from '../../s3/write-object.ts';
import { checkedName, isBlobName } from '../checked-name.ts';
import type { BlobName, RawBlobStore } from '../driver.ts';
import { measureBlob } from '../measure-blob.ts';
import { openObject } from './open-object.ts';

export interface S3Blobs extends RawBlobStore {
  /** Every blob with its size and the time at which it was stored. */
  listStored(): AsyncIterable<BlobName & { size: number; modified: Date }>;
}

/** Objects `<prefix>blobs/<workspace_id>/<id>` of a bucket. */
export function makeS3Blobs(bucket: S3Bucket, options: S3Options): S3Blobs {
  const client = makeS3Client(bucket, options);
  const root = `${client.prefix}blobs/`;
  const folderOf = (workspace_id: string) => `${root}${checkedName(workspace_id)}/`;
  const keyOf = (workspace_id: string, id: string) => `${folderOf(workspace_id)}${checkedName(id)}`;

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
        const conditions = async () => {
          const { headers } = await client.call({ operation: 'look', method: 'HEAD', key });
          return { 'if-match': headers.etag ?? '' };
        };
        await writeObject(client, key, stream, { conditions });
        return true;
      } catch (error) {
        if (isMissing(error) || isRefusedByCondition(error)) return false;
        throw error;
      }
    },

    delete: async (workspace_id, id) => deleteObject(client, keyOf(workspace_id, id)),

    deleteWorkspace: async (workspace_id) => deleteObjects(client, folderOf(workspace_id)),

    async *list(before) {
      for await (const { workspace_id, id, modified } of listStored())
        if (modified < before) yield { workspace_id, id };
    },

    removePartial: (before) => abortUploads(client, root, before),
  };
}
