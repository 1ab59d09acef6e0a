import { openObject } from '../../../src/drivers/blobs/s3/open-object.ts';
import type { S3Bucket } from '../../../src/drivers/s3/driver.ts';
import { listFolders, listObjects } from '../../../src/drivers/s3/list-objects.ts';
import { readObject } from '../../../src/drivers/s3/read-object.ts';
import { makeS3Client, type S3Options } from '../../../src/drivers/s3/s3-client.ts';
import { isMissing, isRefusedByCondition } from '../../../src/drivers/s3/s3-failed.ts';
import { writeObject } from '../../../src/drivers/s3/write-object.ts';
import type { BackupFolder } from './backup-folder.ts';

/** A database is one object, of at most 10,000 parts. */
const part_bytes = 64 * 1024 * 1024;
const contents = 'objects/';

export function makeS3Folder(bucket: S3Bucket, options: S3Options): BackupFolder {
  const client = makeS3Client(bucket, { setting: 'the backups', ...options });
  const keyOf = (path: string) => `${client.prefix}${path}`;
  let known: Promise<Set<string>> | undefined;

  /** Files of earlier backups, listed once: asking for each would take as many requests as there are files. */
  async function listContents(): Promise<Set<string>> {
    const keys = new Set<string>();
    for await (const { key } of listObjects(client, keyOf(contents))) keys.add(key);
    return keys;
  }

  async function isThere(key: string): Promise<boolean> {
    try {
      await client.call({ operation: 'look', method: 'HEAD', key });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  return {
    name: `s3://${bucket.bucket}/${bucket.prefix}`,

    async has(path) {
      if (!path.startsWith(contents)) return isThere(keyOf(path));
      known ??= listContents();
      return (await known).has(keyOf(path));
    },

    async read(path) {
      const object = await readObject(client, keyOf(path));
      return object && object !== 'unchanged' ? object.bytes : undefined;
    },

    async create(path, bytes) {
      const headers = { 'if-none-match': '*' };
      try {
        await client.call({ operation: 'write', method: 'PUT', key: keyOf(path), headers, body: bytes });
      } catch (error) {
        throw isRefusedByCondition(error) ? new Error(`${path} is already there`) : error;
      }
    },

    async write(path, stream) {
      await writeObject(client, keyOf(path), stream, { part_bytes });
      (await known)?.add(keyOf(path));
    },

    open: (path) => openObject(client, keyOf(path)),
    listFolders: () => listFolders(client, client.prefix),
  };
}
