import { listObjects, listUploads } from './list-objects.ts';
import type { S3Client } from './s3-client.ts';
import { isMissing } from './s3-failed.ts';
import { abortUpload } from './write-object.ts';

/** How many objects are deleted at once. */
const deletions = 8;

/** One that is already gone is fine. */
export async function deleteObject(client: S3Client, key: string): Promise<void> {
  try {
    await client.call({ operation: 'delete', method: 'DELETE', key });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Deletes all objects whose names begin so. */
export async function deleteObjects(client: S3Client, prefix: string): Promise<void> {
  let batch: string[] = [];
  const deleteBatch = async () => {
    await Promise.all(batch.map((key) => deleteObject(client, key)));
    batch = [];
  };
  for await (const { key } of listObjects(client, prefix)) if (batch.push(key) === deletions) await deleteBatch();
  await deleteBatch();
}

/** Aborts uploads in parts that no writer has touched since a moment; answers how many there were. */
export async function abortUploads(client: S3Client, prefix: string, before: Date): Promise<number> {
  let aborted = 0;
  for await (const { key, upload_id, touched } of listUploads(client, prefix)) {
    // A time that can't be read is no reason to remove anything.
    if (!(touched < before)) continue;
    await abortUpload(client, key, upload_id);
    aborted++;
  }
  return aborted;
}
