import { readBytes } from './read-body.ts';
import type { S3Client } from './s3-client.ts';
import { isMissing, isUnchanged } from './s3-failed.ts';

/** Objects that are read into memory as a whole are far smaller. */
const maxBytes = 512 * 1024 * 1024;

/** A whole object with its version; undefined when there is none, `unchanged` when its version is the known one. */
export async function readObject(
  client: S3Client,
  key: string,
  known?: string,
): Promise<{ bytes: Buffer; version: string } | 'unchanged' | undefined> {
  const headers = known === undefined ? {} : { 'if-none-match': known };
  try {
    return await client.exchange({ operation: 'read', method: 'GET', key, headers }, async (response) => {
      const version = response.headers.etag ?? '';
      const bytes = await readBytes(response, client.timeout_ms, maxBytes);
      // Some stores ignore conditions of reads.
      return version !== '' && version === known ? 'unchanged' : { bytes, version };
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (isUnchanged(error)) return 'unchanged';
    throw error;
  }
}
