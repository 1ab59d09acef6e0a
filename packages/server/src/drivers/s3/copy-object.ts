import type { S3Client } from './s3-client.ts';
import { startUpload } from './write-object.ts';

/** A store copies at most 5 GiB with one request. */
const largestCopy = 4 * 1024 ** 3;

/** Copies an object within the bucket, without its bytes coming here. */
export async function copyObject(
  client: S3Client,
  from: string,
  to: string,
  size: number,
  part_bytes = largestCopy,
): Promise<void> {
  const source = `/${client.bucket}/${from}`.split('/').map(encodeURIComponent).join('/');
  const headers = { 'x-amz-copy-source': source };
  if (size <= part_bytes) {
    await client.call({ operation: 'copy', method: 'PUT', key: to, headers, root: 'CopyObjectResult' });
    return;
  }
  const upload = await startUpload(client, to);
  try {
    for (let start = 0; start < size; start += part_bytes) {
      const end = Math.min(start + part_bytes, size) - 1;
      await upload.addCopy({ ...headers, 'x-amz-copy-source-range': `bytes=${start}-${end}` }, end - start + 1);
    }
    await upload.complete({});
  } catch (error) {
    // What can't be aborted now is removed by the sweep; the first error is the one to tell.
    await upload.abort().catch(() => undefined);
    throw error;
  }
}
